"""What may be asked of results, and that everything else is refused in one sentence."""

from __future__ import annotations

import pytest
import sqlglot
from hypothesis import given
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.post_processing_rules import DEPTH, NODES, check_expression

from .post_twins import Twin, tops


def parsed(text: str) -> exp.Expr:
    return sqlglot.parse_one(text, dialect="duckdb")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SUBSTRING(k0, 1)", "SUBSTRING"),
        ("read_csv('/etc/passwd')", "READ_CSV"),
        ("getenv('HOME')", "GETENV"),
        ("(SELECT 1)", "SUBQUERY"),
        ("a0 IN (SELECT 1)", "IN with QUERY"),
        ("EXISTS(SELECT 1)", "EXISTS"),
        ("SUM(a0)", "SUM"),
        ("COUNT(*)", "COUNT"),
        ("SUM(a0) OVER ()", "WINDOW"),
        ("age + 1", "column 'age'"),
        ("t.a0", "column 'a0'"),
        ("k0 LIKE k1", "LIKE"),
        ("k0 LIKE 'a' ESCAPE '!'", "ESCAPE"),
        ("k0 LIKE ANY ('a')", "LIKE"),
        ("k0 ILIKE 'a'", "ILIKE"),
        ("a0 BETWEEN SYMMETRIC 1 AND 2", "SYMMETRIC"),
        ("CAST(a0 AS BLOB)", "VARBINARY"),
        ("CAST(a0 AS DECIMAL(10, 2))", "DECIMAL"),
        ("CAST(a0 AS INTEGER[])", "ARRAY"),
        ("CAST(k0 AS DATE)", "date"),
        ("DATE '2024-13-01'", "date"),
        ("ROUND(a0, a1)", "ROUND"),
        ("ROUND(a0, 400)", "ROUND"),
        ("a0 IS DISTINCT FROM 1", "NULLSAFENEQ"),
        ("1e999", "1e999"),
        ("a0 // 2", "INTDIV"),
        ("RANDOM()", "RAND"),
        ("a0 COLLATE nocase", "COLLATE"),
        ("[a0]", "ARRAY"),
        ("$1", "PLACEHOLDER"),
        ("?", "PLACEHOLDER"),
        ("INTERVAL 1 DAY", "INTERVAL"),
        ("*", "STAR"),
        ("CURRENT_DATE", "CURRENT_DATE"),
    ],
)
def test_everything_off_the_list_is_refused_by_name(text: str, told: str) -> None:
    with pytest.raises(NotAllowed, match=told) as refused:
        check_expression(parsed(text))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "k0 + 1",
        "k0 = 3",
        "a0 || 1 = 4",
        "CASE WHEN a0 THEN 1 END",
        "CASE WHEN TRUE THEN 'a' ELSE 1 END",
        "CASE k0 WHEN 1 THEN 1 END",
        "k2 = 1",
        "NOT a0",
        "a0 AND TRUE",
        "COALESCE(k0, 0)",
        "a0 LIKE 'a'",
        "a0 IS TRUE",
        "k0 IN ('a', 1)",
        "LEAST(k3, 1)",
        "ABS(TRUE)",
    ],
)
def test_a_mix_of_kinds_is_refused_when_the_kinds_are_known(text: str) -> None:
    with pytest.raises(NotAllowed, match="mixes"):
        check_expression(parsed(text), {"k0": "text", "k1": "integer", "k2": "boolean", "k3": "date"})


def test_kinds_that_fit_are_let_through() -> None:
    kinds = {"k0": "text", "k1": "integer", "k2": "boolean", "k3": "date"}
    for text in (
        "k1 + a0 > 3 AND k2",
        "k3 >= DATE '2024-01-01'",
        "k3 < '2024-01-01'",
        "COALESCE(k0, NULL, 'x') || k1",
        "CASE WHEN k2 THEN k1 ELSE NULL END * 2",
        "k2 IS NOT FALSE",
        "NULL IS NULL",
        "CAST(k0 AS INTEGER) + 1",
    ):
        assert check_expression(parsed(text), kinds).sql("duckdb")  # type: ignore[arg-type]


def test_long_and_deep_expressions_are_refused_and_not_a_crash() -> None:
    with pytest.raises(NotAllowed, match="parts"):
        check_expression(parsed(" + ".join(["a0"] * NODES)))
    deep = exp.column("a0")
    for _ in range(DEPTH + 1):
        deep = exp.Abs(this=deep)  # type: ignore[assignment]
    with pytest.raises(NotAllowed, match="deep"):
        check_expression(deep)


def test_a_list_to_choose_from_must_not_be_empty() -> None:
    with pytest.raises(NotAllowed, match="nothing to choose from"):
        check_expression(exp.In(this=exp.column("a0"), expressions=[]))


def test_not_like_is_not_lost() -> None:
    # sqlglot tells it by a flag on LIKE, which a rebuilt tree could drop.
    assert check_expression(parsed("k0 NOT LIKE 'a%'")).sql("duckdb") == "NOT k0 LIKE 'a%'"


@given(twin=tops)
def test_the_tree_is_new_and_says_the_same(twin: Twin) -> None:
    node = parsed(twin.ours)
    before = repr(node)
    made = check_expression(node)
    assert repr(node) == before
    assert not {id(part) for part in made.walk()} & {id(part) for part in node.walk()}
    assert check_expression(made) == made
    assert check_expression(parsed(made.sql("duckdb"))) == made


def test_comments_do_not_come_along() -> None:
    assert "drop" not in check_expression(parsed("a0 /* drop */ + 1 -- drop")).sql("duckdb")
