"""Numbers as whole steps: clamped, never null where there was a value, exact in sums."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import STEPS, Column, Table
from shoal.queries.sql.fixed_point import (
    clamp,
    column_of,
    double,
    to_fixed_point,
    to_steps,
    value_of_code,
    whole,
)
from shoal.queries.sql.typed_expression import TypedExpression

CONNECTION = duckdb.connect()
TABLE = Table(
    "t",
    (
        Column("id", "integer"),
        Column("age", "integer", 0, 120),
        Column("cents", "integer", 0, 2**40),
        Column("pay", "number", -1.5, 1e5),
        Column("sex", keys=("F", "M"), missing=False),
        Column("ok", "boolean"),
    ),
    unit="id",
)


def run(sql: exp.Expression) -> object:
    found = CONNECTION.execute(f"SELECT {sql.sql(dialect='duckdb')}").fetchone()
    assert found is not None
    return found[0]


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e6, 1e6), st.floats(0.001, 1e6))
def test_a_number_in_steps_stays_within_its_ends(value: float, low: float, width: float) -> None:
    steps = to_fixed_point(TypedExpression(double(value), "number", low, low + width), "SUM")
    found = run(steps.sql)
    assert isinstance(found, int)
    assert steps.low <= found <= steps.high
    assert abs(found) <= steps.reach
    inside = min(max(value, low), low + width)
    assert abs(found * steps.grid - Fraction(inside)) <= steps.grid


@given(
    st.floats(allow_nan=True, allow_infinity=True),
    st.one_of(st.integers(-5, 5).map(float), st.floats(-1e6, 1e6)),
    st.one_of(st.integers(1, 9).map(float), st.floats(0.001, 1e6)),
    st.integers(0, 30),
    st.booleans(),
)
def test_nothing_is_rounded_beyond_the_steps_of_the_bounds(
    value: float, low: float, width: float, finer: int, centred: bool
) -> None:
    """Not even a value on a bound or beyond it, counted from the middle or from nought."""
    high = low + width
    centre = (Fraction(low) + Fraction(high)) / 2 if centred else Fraction(0)
    largest = max(abs(Fraction(low) - centre), abs(Fraction(high) - centre))
    grid = Fraction(2) ** (math.frexp(float(largest))[1] - finer)
    for written in (value, low, high):
        cell: Any = exp.maybe_parse(f"CAST('{written!r}' AS DOUBLE)", dialect="duckdb")
        steps = to_steps(TypedExpression(cell, "number", low, high), low, high, grid, centre)
        found = run(steps.sql)
        assert isinstance(found, int)
        assert steps.low <= found <= steps.high


def test_whole_numbers_reach_no_further_than_their_bounds() -> None:
    """SUM(CASE WHEN … THEN 1 ELSE 0 END) had the noise of two people once."""
    steps = to_fixed_point(TypedExpression(whole(1), "integer", 0, 1), "SUM")
    assert (steps.low, steps.high, steps.reach) == (0, 1, 1)


@pytest.mark.parametrize("odd", ["CAST('nan' AS DOUBLE)", "CAST('inf' AS DOUBLE)", "CAST('-inf' AS DOUBLE)"])
def test_what_is_no_number_becomes_a_bound(odd: str) -> None:
    value: Any = exp.maybe_parse(odd, dialect="duckdb")
    assert run(clamp(value, -1, 2)) in (-1.0, 2.0)
    steps = to_steps(TypedExpression(value, "number", -1, 2), -1, 2, Fraction(1, 4), Fraction(1, 2))
    assert isinstance(run(steps.sql), int)


def test_null_stays_null() -> None:
    missing = exp.cast(exp.Null(), exp.DataType.Type.DOUBLE)
    assert run(clamp(missing, 0, 1)) is None
    assert run(to_fixed_point(TypedExpression(missing, "number", 5, 9), "SUM").sql) is None


def test_columns_are_summed_as_they_are_stored() -> None:
    for name, grid in (("age", Fraction(1)), ("pay", TABLE.column("pay").grid)):
        steps = to_fixed_point(column_of(TABLE.column(name), "t0", TABLE), "SUM")
        assert steps.sql.sql() == f'"t0"."{name}"'
        assert steps.grid == grid
    coarse = to_fixed_point(column_of(TABLE.column("cents"), "t0", TABLE), "SUM")
    assert coarse.grid > 1  # sums of 2^40 would leave 64 bits after some million rows
    assert coarse.reach <= STEPS + 1


def test_domains_of_columns() -> None:
    assert column_of(TABLE.column("sex"), "t0", TABLE).domain == ("F", "M")
    assert column_of(TABLE.column("ok"), "t0", TABLE).domain == (True, False, None)
    ages = column_of(TABLE.column("age"), "t0", TABLE).domain
    assert ages is not None and len(ages) == 122
    assert column_of(TABLE.column("id"), "t0", TABLE).unit


def test_a_number_without_bounds_cannot_be_summed() -> None:
    with pytest.raises(NotAllowed, match="LEAST"):
        to_fixed_point(column_of(TABLE.column("id"), "t0", TABLE), "SUM")
    with pytest.raises(NotAllowed, match="number, not text"):
        to_fixed_point(column_of(TABLE.column("sex"), "t0", TABLE), "SUM")


@given(st.integers(-(2**62), 2**62))
def test_whole_literals_come_back(number: int) -> None:
    assert run(whole(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_double_literals_come_back(number: float) -> None:
    found = run(double(number))
    assert isinstance(found, float)
    assert found == number and math.copysign(1, found) == math.copysign(1, number)


def test_a_code_too_large_to_be_squared_is_not_offered() -> None:
    assert value_of_code(exp.column("c"), Fraction(1), 0, 2**40, True).code is None
    assert value_of_code(exp.column("c"), Fraction(1), 0, 2**30, True).code is not None


def test_a_number_is_a_double_even_where_its_grid_is_one() -> None:
    column = Column("x", "number", 0, 1_000_000_000)
    assert column.grid == 1
    typed = column_of(column, "t0", Table("t", (Column("id"), column), unit="id"))
    assert typed.sql.sql(dialect="postgres") == 'CAST("t0"."x" AS DOUBLE PRECISION)'
