"""What an owner may declare."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.queries.declaration.declaration import LARGEST, STEPS, Budget, Column, Dataset, Table, grid_for

ONE = Budget(Fraction(1))
PEOPLE = Table("people", (Column("id"), Column("age", "integer", 0, 120)), "id")


@given(st.floats(-LARGEST, LARGEST), st.floats(-LARGEST, LARGEST))
def test_the_grid_cuts_the_reach_into_about_a_thousand_million_steps(low: float, high: float) -> None:
    grid, reach = grid_for(low, high), Fraction(max(abs(low), abs(high)))
    power = grid.numerator * grid.denominator
    assert power & (power - 1) == 0  # of two, so that dividing by it does not round
    assert reach == 0 or STEPS // 2 <= reach / grid <= STEPS


def test_whole_numbers_are_held_in_steps_of_one() -> None:
    assert Column("x", "integer", 0, 10**9).grid == 1
    assert Column("x", "number", 0, 1).grid == Fraction(1, 2**29)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"name": "first name"}, "cannot be asked for by name"),
        ({"name": ""}, "cannot be asked for by name"),
        ({"name": 'a"b'}, "cannot be asked for by name"),
        ({"name": "x" * 64}, "cannot be asked for by name"),
        ({"kind": "whole"}, "kind 'whole'; there is integer, number"),
        ({"kind": "number", "low": 0}, "one bound only"),
        ({"kind": "number", "low": 0, "high": math.inf}, "beyond"),
        ({"kind": "number", "low": 0, "high": math.nan}, "beyond"),
        ({"kind": "number", "low": 0, "high": 2.0**53}, "beyond"),
        ({"kind": "number", "low": 1, "high": 1}, "leave no room"),
        ({"kind": "text", "low": 0, "high": 1}, "takes no bounds"),
        ({"kind": "number", "keys": (1, 2)}, "takes no keys"),
        ({"keys": ()}, "empty or name one twice"),
        ({"keys": ("a", "a")}, "empty or name one twice"),
        ({"keys": (1,)}, "not of its kind, text"),
        ({"kind": "integer", "keys": ("1",)}, "not of its kind, integer"),
        ({"kind": "integer", "keys": (True,)}, "not of its kind, integer"),
    ],
)
def test_a_column_that_makes_no_sense_is_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(BadParameter, match=told):
        Column(**{"name": "x", **settings})


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"name": "a table"}, "is no name for a table"),
        ({"columns": (Column("a"), Column("A"))}, "two columns of one name"),
        ({"unit": "who"}, "no column 'who' for the unit"),
        ({"columns": (Column("id", "date"),)}, "must be text or integer"),
        ({"columns": (Column("id", "integer", 0, 9),)}, "they would merge people"),
        ({"columns": (Column("id", keys=("a",)),)}, "they would merge people"),
        ({"rows": 0}, "at least 1"),
        ({"groups": 0}, "at least 1"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(BadParameter, match=told):
        Table(**{"name": "d", "columns": (Column("id"),), "unit": "id", **settings})


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"name": "a b"}, "is no name for a data set"),
        ({"name": "𝔞" * 63}, "is no name for a data set"),  # 252 bytes, and its files have longer names
        ({"tables": (PEOPLE, PEOPLE)}, "two tables of one name"),
        ({"tables": (Table("places", (Column("zip"),)),)}, "no private table"),
        ({"tables": (PEOPLE, Table("b", (Column("id", "integer"),), "id"))}, "choose one"),
        ({"policy": "beg"}, "no policy 'beg'"),
        ({"accounting": "none"}, "no accounting 'none'"),
        ({"budget": Budget(Fraction(1), Fraction(1, 10))}, "pure accounting has no δ"),
        ({"accounting": "zcdp"}, "zcdp accounting needs a δ"),
    ],
)
def test_a_data_set_that_makes_no_sense_is_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(BadParameter, match=told):
        Dataset(**{"name": "d", "tables": (PEOPLE,), "budget": ONE, **settings})


@pytest.mark.parametrize(("epsilon", "delta"), [(-1, 0), (1, -1), (1, 1)])
def test_a_budget_that_makes_no_sense_is_refused(epsilon: int, delta: int) -> None:
    with pytest.raises(BadParameter, match="makes no sense"):
        Budget(Fraction(epsilon), Fraction(delta))


def test_names_are_found_whatever_their_case() -> None:
    dataset = Dataset("d", (PEOPLE,), ONE)
    assert dataset.table("PEOPLE").column("Age").bounded
    with pytest.raises(BadParameter, match="no table 'pets'; there is people"):
        dataset.table("pets")
    with pytest.raises(BadParameter, match="no column 'aeg'; the table people has id, age"):
        PEOPLE.column("aeg")
