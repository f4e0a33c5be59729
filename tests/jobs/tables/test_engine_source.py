"""Requests about tables in an engine: where records are, what models make come here, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import psycopg
import pytest

from shoal import protect
from shoal.core.errors import BadInput, BadParameter
from shoal.engines.address import Address, address_of
from shoal.jobs.tables.engine_source import counted_columns, record_place
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity


def filled(folder: Path) -> str:
    with duckdb.connect(str(folder / "a.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE people AS SELECT range AS id, range % 4 AS age, 'f' AS sex, 'x' AS ill "
            "FROM range(40)"
        )
    return f"duckdb:///{folder}/a.duckdb#people"


def test_records_have_a_place_of_their_own(tmp_path: Path) -> None:
    assert record_place(address_of("duckdb:///a#s.t"), None) == Path("t.shoal.json")
    assert record_place(Address("folder", "a/b/"), None) == Path("a/b.shoal.json")
    assert record_place(address_of("spark://x/y/z"), None) == Path("z.shoal.json")
    assert record_place("ignored", tmp_path / "x") == tmp_path / "x"


def test_only_what_models_count_comes_here() -> None:
    secrets = ["ill", "pay"]
    assert counted_columns([KAnonymity(3)], secrets) == []
    assert counted_columns([LDiversity(2, column="pay")], secrets) == ["pay"]
    assert counted_columns([LDiversity(2)], secrets) == secrets


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"step": ["noise(column=ill)"]}, "--step needs the rows here"),
        ({"method": "noisy-counts(epsilon=1)"}, "."),
        ({"model": ["multir-k-anonymity(k=3,person=id)"]}, "counts id row by row"),
        ({"method": "mondrian(relaxed=true)"}, "use --method mondrian"),
        ({"yes": True}, "--yes needs the rows here"),
        ({"output": "out.csv"}, "ends with a slash"),
        ({"output": "duckdb:///{place}#people"}, "choose a new"),
        ({"undeclared": "refuse"}, "no role for"),
        ({"quasi": "nobody"}, "no column 'nobody'"),
    ],
)
def test_what_needs_rows_is_refused_in_one_sentence(tmp_path: Path, more: dict[str, Any], words: str) -> None:
    source = filled(tmp_path)
    if "output" in more:
        more = {"output": str(more["output"]).replace("{place}", f"{tmp_path}/a.duckdb")}
    with pytest.raises(BadInput, match=words) as caught:
        protect(source, **{"quasi": "age", "k": 3, **more})
    assert "\n" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.duckdb"]


def test_a_file_is_not_written_into_an_engine(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age\n1\n1\n1\n")
    with pytest.raises(BadParameter, match="is no file, and the table is one"):
        protect(tmp_path / "a.csv", quasi="age", k=3, output=f"duckdb:///{tmp_path}/b.duckdb#t")


def test_a_record_takes_the_place_of_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source, target = filled(tmp_path), f"duckdb:///{tmp_path}/b.duckdb#r"
    notes, hierarchy = tmp_path / "notes.txt", tmp_path / "h.csv"
    notes.write_text("mine")
    hierarchy.write_text("0;*\n1;*\n2;*\n3;*\n")
    Path("link").symlink_to(tmp_path / "a.duckdb")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for record in (tmp_path / "a.duckdb", "link", "b.duckdb", notes, hierarchy, tmp_path):
        with pytest.raises(BadParameter):
            protect(
                source, quasi="age", k=3, output=target, manifest=record, hierarchy={"age": str(hierarchy)}
            )
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_two_releases_of_one_name_have_records_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source, file = filled(tmp_path), f"duckdb:///{tmp_path}/b.duckdb"
    first = protect(source, quasi="age", k=3, output=f"{file}#r").notes
    before = (tmp_path / "r.shoal.json").read_bytes()
    with duckdb.connect(str(tmp_path / "b.duckdb")) as connection:
        connection.execute("CREATE SCHEMA s")
    with pytest.raises(BadParameter, match=r"'r\.shoal\.json' is the record of a release"):
        protect(source, quasi="age", k=2, output=f"{file}#s.r")
    assert (tmp_path / "r.shoal.json").read_bytes() == before
    # Named, it may be replaced, and that is said.
    second = protect(source, quasi="age", k=2, output=f"{file}#s.r", manifest="r.shoal.json").notes
    assert [note for note in second if note not in first] == [
        "replaced 'r.shoal.json'; a release that it was the record of needs it to be verified"
    ]


def test_a_record_without_a_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="--manifest is the record of a release that is written; give -o"):
        protect(filled(tmp_path), quasi="age", k=3, manifest=tmp_path / "r.json")
    with pytest.raises(BadParameter, match="--manifest is the record"):
        protect(pl.DataFrame({"age": [1] * 9}), quasi="age", k=3, manifest=tmp_path / "r.json")
    assert not (tmp_path / "r.json").exists()


def test_columns_that_differ_by_case_alone_go_into_no_folder(postgres: str, tmp_path: Path) -> None:
    """What reads the folder takes them for one: that was "the table changed while it was read"."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS cased; DROP TABLE IF EXISTS cased_release")
        connection.execute('CREATE TABLE cased AS SELECT i % 3 AS age, 1 AS "Age", 2 AS ill FROM '
                           "generate_series(1, 30) i")  # fmt: skip
    source = f"{postgres}#cased"
    roles: dict[str, Any] = {"quasi": ["age", "Age"], "sensitive": "ill", "k": 3}
    with pytest.raises(BadParameter, match="columns 'age' and 'Age' differ by case alone"):
        protect(source, output=f"{tmp_path}/new/", manifest=tmp_path / "r.json", **roles)
    assert not (tmp_path / "new").exists()
    record = tmp_path / "r.json"
    assert protect(source, output=f"{postgres}#cased_release", manifest=record, **roles).released == 30
    roles["quasi"] = ["age"]
    assert protect(source, output=f"{tmp_path}/new/", manifest=record, **roles).released == 30
