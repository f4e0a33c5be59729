"""Nothing reaches the engine of outer queries that is not on the list."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.outer_rules import checked_outer


def checked(text: str) -> str:
    tree = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(tree, exp.Query)
    return checked_outer(tree).sql(dialect="duckdb")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT RANDOM()",
        "SELECT CURRENT_DATE",
        "SELECT GETENV('HOME')",
        "SELECT CURRENT_SETTING('threads')",
        "SELECT * FROM READ_CSV('x.csv')",
        "SELECT * FROM RANGE(1000000000)",
        "SELECT * FROM 'file.parquet'.x",
        "SELECT REPEAT('x', 1000000000)",
        "SELECT LIST(x) FROM t",
        "SELECT {'a': 1}",
        "SELECT x::BLOB FROM t",
        "SELECT * EXCLUDE (a) FROM t",
        "SELECT * FROM t TABLESAMPLE 10%",
        "SELECT * FROM t ASOF JOIN u ON t.a >= u.a",
        "SELECT x FROM t LIMIT 10 PERCENT",
    ],
)
def test_what_is_not_listed_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed):
        checked(text)


def test_what_would_raise_gives_null() -> None:
    text = checked("SELECT SQRT(x), LN(x), CAST(x AS INT), x::DOUBLE FROM t")
    assert text.count("TRY_CAST") == 2
    assert text.count("CASE WHEN") == 2


def test_names_that_multiply_are_counted_as_often_as_they_are_named() -> None:
    doubled = ", ".join(f"t{n + 1} AS (SELECT 1 FROM t{n} a, t{n} b)" for n in range(6))
    with pytest.raises(NotAllowed, match="opens more than"):
        checked(f"WITH t0 AS (SELECT 1 FROM x), {doubled} SELECT 1 FROM t6")


def test_texts_that_are_put_together_have_an_end() -> None:
    assert checked("SELECT a || b || c FROM t").count("LEFT(") == 1
    assert checked("SELECT CAST(SQRT(a) AS INT) || b FROM t").count("TRY_CAST(CASE WHEN") == 1


def test_every_name_is_quoted() -> None:
    assert checked("SELECT t.a AS b FROM c AS t") == 'SELECT "t"."a" AS "b" FROM "c" AS "t"'
