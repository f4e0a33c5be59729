"""Functions of other dialects give what plain DuckDB gives for the same thing."""

from __future__ import annotations

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from shoal.queries.sql.function_names import plain_function, today


def rewritten(text: str) -> str:
    node = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(node, exp.Func)
    return plain_function(node).sql(dialect="duckdb")


def test_names_become_known_ones() -> None:
    assert rewritten("VAR(x)") == "VARIANCE(x)"
    assert rewritten("APPROX_COUNT_DISTINCT(x)") == "COUNT(DISTINCT x)"
    assert rewritten("UNKNOWN(x)") == "UNKNOWN(x)"
    assert rewritten("APPROX_PERCENTILE(x, 0.9)") == "QUANTILE(x, 0.9)"
    assert rewritten("IFF(x > 1, 2, 3)") == "CASE WHEN x > 1 THEN 2 ELSE 3 END"
    assert rewritten("DATE_FORMAT(x, '%Y-%m')") == rewritten("TO_CHAR(x, 'YYYY-MM')")


@pytest.mark.parametrize("x", ["TIMESTAMP '2024-02-29 23:59:59.9'", "DATE '0987-01-01'", "NULL::DATE"])
@pytest.mark.parametrize("form", ["%Y", "%Y-%m", "%Y-%m-%d"])
def test_days_as_texts_are_those_of_duckdb(x: str, form: str) -> None:
    """The plain function and what stands for it here."""
    text = f"STRFTIME(x, '{form}')"
    with duckdb.connect() as plain:
        found = plain.execute(f"SELECT {text}, {rewritten(text)} FROM (SELECT {x} AS x) t").fetchone()
    assert found is not None and found[0] == found[1]


@pytest.mark.parametrize("x", [0, 1.23456, -7.0004, 99.5, "NULL"])
@pytest.mark.parametrize("kind", ["DECIMAL", "NUMERIC(10, 2)", "DECIMAL(9)"])
def test_decimals_are_rounded_numbers(x: object, kind: str) -> None:
    text = f"CAST(x AS {kind})"
    with duckdb.connect() as plain:
        found = plain.execute(f"SELECT {text}, {rewritten(text)} FROM (SELECT {x}::DOUBLE AS x) t").fetchone()
    assert found is not None and (found[0] is None) == (found[1] is None)
    assert found[0] is None or float(found[0]) == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize(
    "text",
    ["STRFTIME(x, '%B')", "STRFTIME(x, y)", "CAST(x AS DECIMAL(38, 30))", "IFF(x, y)", "PERCENTILE(x)"],
)
def test_what_has_no_other_words_stays_as_it_is(text: str) -> None:
    assert rewritten(text) == text


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


@pytest.mark.parametrize("x", ["TIMESTAMP '2024-02-29 23:59:59'", "DATE '1987-12-06'", "NULL::DATE"])
@pytest.mark.parametrize("text", ["DAYNAME(x)", "MONTHNAME(x)"])
def test_names_of_days_and_months_are_those_of_duckdb(x: str, text: str) -> None:
    with duckdb.connect() as plain:
        found = plain.execute(f"SELECT {text}, {rewritten(text)} FROM (SELECT {x} AS x) t").fetchone()
    assert found is not None and found[0] == found[1]


def test_lists_are_written_as_in() -> None:
    def condition(text: str) -> str:
        return plain_function(sqlglot.parse_one(text, dialect="duckdb")).sql(dialect="duckdb")

    assert condition("x = ANY (ARRAY['a', 'b'])") == "x IN ('a', 'b')"
    assert condition("(x, y) IN ((1, 2), (3, 4))") == "((x = 1 AND y = 2) OR (x = 3 AND y = 4))"
    for same in ("x IN (1, 2)", "x = 1", "(x, y) IN ((1, 2, 3))"):
        assert condition(same) == sqlglot.parse_one(same, dialect="duckdb").sql(dialect="duckdb")


def test_today_is_a_day_and_now_is_no_number_that_comes_twice() -> None:
    assert rewritten("CURRENT_DATE") == f"CAST('{today().isoformat()}' AS DATE)"
    assert rewritten("NOW()") == "CURRENT_TIMESTAMP"
