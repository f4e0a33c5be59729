"""Words that Spark has otherwise: each is another one, and nothing else is changed."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one

from queries.sql.rows_scene import rebuilt
from shoal.queries.sql.spark_spelling import OVERFLOW, spell_for_spark
from shoal.queries.sql.value_properties import call


def spelled(tree: exp.Expression) -> str:
    before = tree.sql()
    made = spell_for_spark(tree).sql(dialect="spark")
    assert tree.sql() == before
    return made


X, SPACE = exp.column("x"), exp.Literal.string(" ")


@pytest.mark.parametrize(
    ("tree", "wanted"),
    [
        (
            call("LTRIM", call("RTRIM", X, exp.Literal.string(" ")), exp.Literal.string(" ")),
            "LTRIM(RTRIM(x))",
        ),
        (call("STRPOS", X, exp.Literal.string("a")), "INSTR(x, 'a')"),
        (call("CEIL", call("FLOOR", X)), "CAST(CEIL(CAST(FLOOR(x) AS DOUBLE)) AS DOUBLE)"),
        (call("DATE_PART", exp.Literal.string("dow"), X), "(EXTRACT(dow FROM x) - 1)"),
        (call("DATE_PART", exp.Literal.string("isodow"), X), "EXTRACT(dayofweek_iso FROM x)"),
        (call("DATE_PART", exp.Literal.string("epoch"), X), "UNIX_SECONDS(CAST(x AS TIMESTAMP_LTZ))"),
        (parse_one("x + INTERVAL '2' QUARTER", dialect="duckdb"), "x + INTERVAL '6' MONTH"),
        (parse_one("x + INTERVAL '2' DAY", dialect="duckdb"), "x + INTERVAL '2' DAY"),
    ],
)
def test_a_word_becomes_that_of_spark(tree: exp.Expression, wanted: str) -> None:
    assert spelled(tree) == wanted


def test_a_sum_that_does_not_fit_fails_instead_of_wrapping_around() -> None:
    made = spelled(exp.Sum(this=X))
    assert f"RAISE_ERROR('{OVERFLOW}')" in made and made.count("TRY_SUM(x)") == 2


def test_spark_rounds_before_it_casts() -> None:
    assert "RINT(" in rebuilt("CAST(score AS BIGINT)", "spark").sql.sql(dialect="spark")
    assert "RINT(" in rebuilt("POWER(age, 2)", "spark").sql.sql(dialect="spark")
    assert "RINT(" not in rebuilt("CAST(score AS BIGINT)", "duckdb").sql.sql(dialect="duckdb")


def test_a_pattern_of_like_never_goes_back() -> None:
    for pattern, wanted in (("a%b.%c%d", r"a(?>.*?b\.)(?>.*?c).*d"), ("a_%b_", "a..*b."), ("", "")):
        sql = rebuilt(f"name LIKE '{pattern}'", "spark").sql
        assert [part.this for part in sql.find_all(exp.Literal)] == [rf"(?s)\A{wanted}\z"]
