"""Joins that read both sides, and leave out after what has no partner."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one

from queries.clinic import dataset
from shoal.queries.sql.full_joins import hashed, joined, there
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore


def _condition(text: str) -> exp.Expression:
    found = parse_one(text, dialect="duckdb")
    assert isinstance(found, exp.Expression)
    return found


def _hashed(*conditions: str) -> list[str]:
    unit, partner = _condition("a.id"), _condition("b.code")
    return [part.sql("duckdb") for part in hashed([_condition(one) for one in conditions], unit, partner)]


def test_columns_of_both_sides_that_are_equal_are_joined_on_as_they_are() -> None:
    assert _hashed("a.x = b.code", "b.y > 2") == ["a.x = b.code", "b.y > 2"]


def test_what_equals_something_written_is_compared_with_that_somebody_is_there() -> None:
    (only,) = _hashed("b.code = 'x'")
    assert only == "CASE WHEN NOT (a.id IS NULL) THEN TRUE END = CASE WHEN b.code = 'x' THEN TRUE END"
    assert _hashed("b.code = 'x'", "b.y > a.z") == [only, "b.y > a.z"]


def test_what_is_kept_of_a_full_join_is_hidden_from_the_planner() -> None:
    assert joined([there(_condition("a.id"))]).sql("duckdb") == (
        "CASE WHEN NOT (a.id IS NULL) THEN TRUE ELSE FALSE END"
    )


@pytest.mark.parametrize(
    ("where", "before"),
    [("p.age > 5", 1), ("q.age > 5", 1), ("p.age > q.age", 0), ("p.age > 5 AND q.age > 5", 2)],
)
def test_what_is_asked_of_one_side_is_asked_before_the_join(where: str, before: int) -> None:
    store = DuckStore(dataset(), threads=1)
    text = f"SELECT COUNT(*) FROM people p JOIN people q ON p.id = q.id WHERE {where}"
    source = plan(text, dataset(), store).source
    store.close()
    sides = list(source.find_all(exp.Union))
    assert len(sides) == 2
    assert sum(side.left.args.get("where") is not None for side in sides) == before
