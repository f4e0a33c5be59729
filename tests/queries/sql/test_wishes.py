"""Which numbers aggregates are made of, once all of them are known."""

from __future__ import annotations

import pytest

from queries.clinic import dataset, usual
from shoal.queries.query import Query
from shoal.queries.sql.planner import plan

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
