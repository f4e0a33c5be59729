"""Types of DuckDB that need care, in real files of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from shoal import inspect, protect, verify
from shoal.core.errors import BadTable
from shoal.engines.duckdb_types import check_types


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """People of whom one is suppressed, and who alone has an illness that an enumeration lists."""
    made = tmp_path / "people.duckdb"
    with duckdb.connect(str(made)) as connection:
        connection.execute(
            "CREATE TABLE raw AS SELECT range % 3 AS age, 'ill' || range % 2 AS ill FROM range(60) "
            "UNION ALL SELECT 99, 'of one alone'"
        )
        connection.execute("CREATE TYPE illness AS ENUM (SELECT DISTINCT ill FROM raw)")
        connection.execute(
            "CREATE TABLE people AS SELECT age, ill::illness AS ill, ill::illness AS q FROM raw"
        )
    return made


@pytest.mark.parametrize("role", ["quasi", "sensitive", "insensitive"])
def test_a_release_lists_no_value_of_an_enumeration_that_only_suppressed_people_had(
    file: Path, tmp_path: Path, role: str
) -> None:
    roles: dict[str, Any] = {"quasi": ["age"], "sensitive": ["ill"]}
    roles[role] = [*roles.get(role, []), "q"]
    source, record = f"duckdb:///{file}#people", tmp_path / "record.json"
    for output in (f"duckdb:///{tmp_path}/new.duckdb#release", f"{tmp_path}/new/"):
        protect(
            source,
            output=output,
            k=5,
            suppress=0.1,
            levels="age=0",
            method="optimal",
            manifest=record,
            **roles,
        )
        assert verify(output.rstrip("/"), manifest=record).holds
    written = [tmp_path / "new.duckdb", *(tmp_path / "new").iterdir()]
    assert len(written) > 1
    for one in written:
        assert b"of one alone" not in one.read_bytes(), one
    with duckdb.connect(str(written[0])) as connection:
        kinds = {row[0]: row[1] for row in connection.execute("DESCRIBE release").fetchall()}
        assert kinds == {"age": kinds["age"], "ill": "VARCHAR", "q": "VARCHAR"}
        assert connection.execute("SELECT count(*) FROM release").fetchall() == [(60,)]
        order = connection.execute("SELECT age FROM release").fetchall()
    # Chance gives the old order once in 60! / 20!^3, about 10^27, times.
    assert order != [(at % 3,) for at in range(60)]


@pytest.mark.parametrize(
    "value",
    [
        "range * INTERVAL 1 MONTH",
        "range::BIGNUM",
        "union_value(a := range)",
        "DATE 'infinity'",
        "TIMESTAMP 'infinity'",
        "TIMESTAMPTZ '-infinity'",
        "TIMESTAMP '0001-01-01 (BC) 00:00:00'",
        "DATE '10000-01-01'",
    ],
)
def test_what_has_no_usual_text_is_refused_in_one_sentence(tmp_path: Path, value: str) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT 'x' AS ill, {value} AS v FROM range(9)")
    asked: tuple[dict[str, Any], ...] = ({"quasi": "v"}, {"quasi": "ill", "insensitive": "v"})
    for roles in asked:
        with pytest.raises(BadTable, match=r"column 'v' holds .*; make a view"):
            protect(f"duckdb:///{tmp_path}/a.duckdb#t", k=3, **roles)
    with pytest.raises(BadTable, match="column 'v'"):
        inspect(f"duckdb:///{tmp_path}/a.duckdb#t")


def test_days_of_the_usual_years_are_read(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT 'x' AS ill, DATE '0001-01-01' AS a, DATE '9999-12-31' AS b, "
            "TIMESTAMP '0001-01-01' AS c, TIMESTAMPTZ '9999-12-31 23:59:59.999999+00' AS d, "
            "TIMESTAMP_NS '2000-01-01' AS e, TIMESTAMP_MS '2000-01-01' AS f, NULL::DATE AS g FROM range(9)"
        )
        check_types(connection.sql("FROM t").to_arrow_reader(9).schema)
    assert (
        protect(f"duckdb:///{tmp_path}/a.duckdb#t", quasi=["a", "b", "c", "d", "e", "f", "g"], k=3).released
        == 9
    )
