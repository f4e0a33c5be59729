"""Which numbers aggregates are made of, once all of them are known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from sqlglot import exp

from queries.clinic import PEOPLE, dataset, usual
from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.query import Query
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

FULL = usual()


def query(question: str) -> Query:
    return plan(question, dataset(), FULL)


@pytest.mark.parametrize(
    ("what", "numbers", "parts"),
    [
        ("COUNT(*)", 1, 1),
        ("SUM(income)", 1, 1),  # alone: no count is bought with it
        ("AVG(income)", 2, 1),
        ("COUNT(income), SUM(income)", 2, 1),
        ("COUNT(*), SUM(income)", 3, 1),  # and the rows without an income
        ("VAR_POP(income), AVG(income)", 3, 1),
        ("COUNT(*), SUM(age), AVG(age), VAR_POP(age), STDDEV(age)", 4, 1),
        ("AVG(income), AVG(age)", 4, 2),
        ("AVG(DISTINCT income), COUNT(*)", 3, 2),  # distinct values are no share of the rows
        ("COUNT(DISTINCT town), COUNT(*)", 2, 2),
    ],
)
def test_numbers_and_parts(what: str, numbers: int, parts: int) -> None:
    found = query(f"SELECT {what} FROM people")
    assert (len(found.primitives), found.parts) == (numbers, parts)


@pytest.mark.parametrize(
    ("what", "crowd", "parts"),
    [
        ("COUNT(*)", 1, 1),
        ("SUM(income)", 3, 1),  # the rows are counted for nothing
        ("AVG(income), AVG(age)", 3, 2),
        ("COUNT(DISTINCT id)", 1, 1),
        ("MEDIAN(income)", 0, 2),  # a count of people is paid for
    ],
)
def test_groups_are_found_by_what_is_told_anyway(what: str, crowd: int, parts: int) -> None:
    found = query(f"SELECT town, {what} FROM people GROUP BY town")
    assert found.parts == parts
    assert (0 if found.crowd is None else len(found.crowd.primitives)) == crowd
    assert (found.people is None) == bool(crowd)


def test_all_rows_are_the_average_of_what_counts_them() -> None:
    mix = dict(query("SELECT COUNT(*), AVG(income), AVG(age) FROM people").aggregates[0].of[0])
    assert set(mix.values()) == {0.5} and len(mix) == 6


CERTAIN = replace(
    PEOPLE,
    columns=tuple(replace(column, never_null=column.name in ("age", "income")) for column in PEOPLE.columns),
)


@pytest.mark.parametrize(
    ("what", "numbers"),
    [
        ("COUNT(*), AVG(income)", 2),
        ("COUNT(*), COUNT(income), SUM(income), AVG(income)", 2),
        ("COUNT(*), AVG(income), VAR_SAMP(income)", 3),
        ("COUNT(income)", 1),
        ("COUNT(*), AVG(income + 1)", 3),  # only what is declared is known
        ("COUNT(*), AVG(income) FILTER (WHERE age > 3)", 3),
        ("COUNT(*), AVG(weight)", None),
    ],
)
def test_what_is_never_null_needs_no_number_for_the_rows_without(what: str, numbers: int | None) -> None:
    of = replace(dataset(), tables=(CERTAIN, *dataset().tables[1:]))
    if numbers is None:
        with pytest.raises(NotAllowed, match="bounds"):
            plan(f"SELECT {what} FROM people", of, usual(of))
        return
    made = plan(f"SELECT {what} FROM people", of, usual(of))
    assert (len(made.primitives), made.parts) == (numbers, 1)
    usual_one = query(f"SELECT {what} FROM people")
    assert len(usual_one.primitives) >= numbers


def test_behind_a_join_nothing_is_taken_for_never_null() -> None:
    of = replace(dataset(), tables=(CERTAIN, *dataset().tables[1:]))
    made = plan("SELECT COUNT(*), AVG(income) FROM visits v LEFT JOIN people p ON v.id = p.id", of, usual(of))
    assert len(made.primitives) == 3


@pytest.mark.parametrize(("low", "high", "stands"), [(0, 1000, 0), (-5, 5, 0), (10, 20, 10), (-9, -3, -3)])
def test_a_missing_value_counts_as_the_one_nearest_to_nought(low: int, high: int, stands: int) -> None:
    table = Table(
        "t", (Column("id", "integer"), Column("x", "number", low, high, never_null=True)), unit="id"
    )
    of = Dataset("d", (table,), Budget(Fraction(10)))
    store = DuckStore(of)
    store.load("t", pl.DataFrame({"id": [1, 2, 3, 4], "x": [None, "word", str(low), str(high)]}))
    made = plan("SELECT COUNT(*), SUM(x) FROM t", of, store)
    (frame,) = store.run(selects(made))
    values = [frame[f"x{index}"].item() for index in range(frame.width)]
    total = made.columns.index(next(part for part in made.columns if part.function == "sum"))
    grid = table.column("x").grid
    assert values[total] * grid == 2 * stands + low + high
    assert store.run([exp.select("COUNT(x) AS n").from_(store.relation(table))])[0].item() == 4
