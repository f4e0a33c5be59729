"""GROUP BY by expression, number, alias and ALL; keys and aggregates lifted out of expressions."""

from __future__ import annotations

from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.group_by import aggregates, fingerprint, group_of, lift_expression
from shoal.queries.sql.sources import Scope, Source
from shoal.queries.sql.typed_expression import TypedExpression

SCOPE = Scope({"t": Source({"x": TypedExpression(exp.column("x", table="t0"), "integer")})})


def parse(text: str) -> Any:
    return sqlglot.parse_one(text, read="duckdb")


def select(text: str) -> exp.Select:
    found = sqlglot.parse_one(text, read="duckdb")
    assert isinstance(found, exp.Select)
    return found


@pytest.mark.parametrize("by", ["x + 1", "1", "up", "ALL"])
def test_groups_are_named_in_four_ways(by: str) -> None:
    found = group_of(select(f"SELECT x + 1 AS up, COUNT(*) FROM t GROUP BY {by}"), SCOPE)
    assert [node.sql() for node in found] == ["x + 1"]


@pytest.mark.parametrize("by", ["3", "0", "2", "1.5", "COUNT(*)"])
def test_groups_that_are_none_are_refused(by: str) -> None:
    with pytest.raises(NotAllowed):
        group_of(select(f"SELECT x, COUNT(*) FROM t GROUP BY {by}"), SCOPE)


def test_one_column_written_in_three_ways_is_one() -> None:
    prints = {fingerprint(parse(text), SCOPE) for text in ("x + 1", "T.X + 1", "(t.x + 1)")}
    assert len(prints) == 1


def test_keys_and_aggregates_become_columns() -> None:
    seen: list[str] = []

    def register(node: exp.Expression) -> str:
        seen.append(node.sql())
        return "a0"

    node = parse("ROUND(SUM(x) / 2) + t.x")
    made = lift_expression(node, SCOPE, [fingerprint(parse("x"), SCOPE)], register)
    assert made.sql() == "ROUND(a0 / 2) + k0"
    assert seen == ["SUM(x)"]
    assert aggregates(node) and not aggregates(made)


@pytest.mark.parametrize("text", ["x", "y", "*", "SUM(x) OVER ()", "(SELECT 1)"])
def test_what_stands_for_many_rows_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed):
        lift_expression(parse(text), SCOPE, [], lambda _: "a0")
