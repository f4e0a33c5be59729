"""The record beside a release."""

import json
from pathlib import Path

import polars as pl
import pytest

from shoal.core.contract import ClassModel
from shoal.core.errors import BadTable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.manifest import Manifest, add_unknown_value, beside, record, strangers_to
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.release import TableRelease
from shoal.tables.table import Table
from shoal.verbs import protect

FRAME = pl.DataFrame(
    {"ssn": ["s1", "s2", "s3", "s4"], "zip": ["11", "12", "21", "22"], "ill": ["flu", None, "flu", "hiv"]}
)
ZIP = Hierarchy.of_levels([["11", "12", "21", "22"], ["1*", "1*", "2*", "2*"]])
ILL = Hierarchy.of_levels([["flu", "hiv", "pox", None], ["light", "heavy", "heavy", "none"]])


@pytest.fixture
def release() -> TableRelease:
    table = Table(FRAME, ("ssn",), ("zip",), ("ill",), {"zip": ZIP, "ill": ILL})
    models: list[ClassModel[Classes]] = [KAnonymity(2), TCloseness(0.9, "hierarchical")]
    made: TableRelease = protect(table, Optimal(seed=77), models, None)
    return made


def written(release: TableRelease) -> str:
    return record(release, ("ssn",), {"suppress": 0.0}, "sha256:2", ["zip"])


def test_what_is_written_is_read(release: TableRelease, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(written(release), "utf-8")
    found = Manifest.read(path)
    assert (found.identifier, found.quasi, found.sensitive) == (("ssn",), ("zip",), ("ill",))
    assert found.models == ("k-anonymity(k=2)", "t-closeness(t=0.9,distance=hierarchical)")
    assert found.levels == {"zip": 1} and found.released == 4 and found.output == "sha256:2"
    domain = found.domains["ill"]
    assert domain.values == ("flu", "hiv", "pox", None) and domain.totals.tolist() == [2, 1, 0, 1]
    assert domain.taxonomy is not None and domain.taxonomy.levels() == ILL.levels()


def test_a_release_in_memory_says_the_same(release: TableRelease, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(written(release), "utf-8")
    read, made = Manifest.read(tmp_path / "r.json"), Manifest.of(release)
    assert (made.quasi, made.sensitive, made.models, made.levels) == (
        read.quasi,
        read.sensitive,
        read.models,
        read.levels,
    )


def test_no_seed_no_identifier_and_no_original_value_is_in_it(release: TableRelease) -> None:
    text = written(release)
    assert "seed" not in text and "77" not in text
    assert not any(f'"{value}"' in text for column in ("ssn", "zip") for value in FRAME[column])
    assert json.loads(text)["known_by"]


def test_values_that_nobody_had_are_strangers_with_no_share(release: TableRelease) -> None:
    domain = release.domains["ill"]
    changed = Table(pl.DataFrame({"zip": ["1*"] * 3, "ill": ["ebola", "flu", None]}), (), ("zip",), ("ill",))
    assert strangers_to(domain, changed) == ["ebola"] and strangers_to(domain, release.table) == []
    found = add_unknown_value(domain, changed)
    assert found.values == (*domain.values, "ebola") and found.totals.tolist() == [2, 1, 0, 1, 0]
    assert found.taxonomy is not None and found.taxonomy.label("ebola", 2) == "*"
    assert add_unknown_value(domain, release.table) is domain
    plain = Domain.of(FRAME.drop_nulls(), "ill")
    assert strangers_to(plain, changed) == [None, "ebola"] or strangers_to(plain, changed) == ["ebola", None]
    assert strangers_to(plain, Table(pl.DataFrame({"zip": ["1*"]}))) == []


@pytest.mark.parametrize("text", ["", "5", "[]", "{}", '{"roles": null}', "\ud800"])
def test_what_is_no_record_is_refused_with_its_name(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(text, "utf-8", "surrogatepass")
    with pytest.raises(BadTable, match=r"r\.json is not a manifest of Shoal"):
        Manifest.read(tmp_path / "r.json")
    with pytest.raises(BadTable, match="is not a manifest"):
        Manifest.read(tmp_path)


def test_its_place_is_beside_the_release() -> None:
    assert beside("a/out.csv") == Path("a/out.csv.shoal.json")
