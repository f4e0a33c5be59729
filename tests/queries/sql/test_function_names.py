"""Functions of other dialects give what plain DuckDB gives for the same thing."""

from __future__ import annotations

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from shoal.queries.sql.function_names import plain_function


def rewritten(text: str) -> str:
    node = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(node, exp.Func)
    return plain_function(node).sql(dialect="duckdb")


def test_names_become_known_ones() -> None:
    assert rewritten("VAR(x)") == "VARIANCE(x)"
    assert rewritten("APPROX_COUNT_DISTINCT(x)") == "COUNT(DISTINCT x)"
    assert rewritten("UNKNOWN(x)") == "UNKNOWN(x)"


@pytest.mark.parametrize(
    ("x", "bucket"), [(-1, 0), (0, 1), (1.9, 1), (2, 2), (9.99, 5), (10, 6), (11, 6), ("NULL", None)]
)
def test_width_bucket_counts_from_one(x: object, bucket: int | None) -> None:
    sql = rewritten("WIDTH_BUCKET(x, 0, 10, 5)")
    with duckdb.connect() as plain:
        found = plain.execute(f"SELECT {sql} FROM (SELECT {x} AS x) t")
        assert found is not None and found.fetchall() == [(bucket,)]


@pytest.mark.parametrize(
    "text", ["WIDTH_BUCKET(x, 10, 0, 5)", "WIDTH_BUCKET(x, 0, y, 5)", "WIDTH_BUCKET(x, 0, 1, 2.5)"]
)
def test_a_bucket_that_is_none_stays_as_it_is(text: str) -> None:
    assert rewritten(text) == text
