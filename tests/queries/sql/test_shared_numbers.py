"""Numbers that share one reach: each row weighs one in all of them together, and nothing is lost by that."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from shoal.queries.sql.fixed_point import FixedPoint
from shoal.queries.sql.shared_numbers import SharedNumbers, share_between

BOUNDS = st.tuples(st.integers(-(2**30), 2**30), st.integers(0, 2**31)).map(lambda two: (two[0], sum(two)))


def numbers_of(shared: SharedNumbers, columns: list[int]) -> list[int]:
    return [sum(columns[index] * weight for index, weight in part.terms) for part in shared.primitives]


def mixed(mix: tuple[tuple[int, float], ...], numbers: list[Fraction]) -> float:
    return float(sum(Fraction(weight) * numbers[index] for index, weight in mix))


@given(BOUNDS, st.data(), st.booleans())
def test_a_row_weighs_the_same_whatever_its_value(
    ends: tuple[int, int], data: st.DataObject, squares: bool
) -> None:
    low, high = ends
    steps = FixedPoint(exp.column("x"), Fraction(1, 8), low, high)
    if squares:
        steps = FixedPoint(exp.column("x"), Fraction(1, 8), -min(-low, 2**16), min(2**16, abs(high)))
    value = data.draw(st.integers(min(steps.low, steps.high), max(steps.low, steps.high)))
    counted = (0, 1, 2) if squares else (0, 2)
    shared = share_between(steps, counted, 3, (5, None), (0, 0))
    row = [value, value**2, 1, 1]
    found = numbers_of(shared, row)
    assert all(number >= 0 for number in found) and sum(found) == shared.width
    assert all(part.reach == 5 * shared.width for part in shared.primitives)
    missing = numbers_of(shared, [0, 0, 0, 1])
    assert missing == [0] * (len(found) - 1) + [shared.width]
    # Five rows of one person are the most that any promise is about.
    assert sum(5 * number for number in found) == shared.primitives[0].reach


@pytest.mark.parametrize("squares", [False, True])
def test_count_sum_and_squares_come_back_exactly(squares: bool) -> None:
    chance = np.random.default_rng(3)
    values = [int(value) for value in chance.integers(-40, 61, 50)]
    centre = Fraction(10) if squares else Fraction(0)
    steps = FixedPoint(exp.column("x"), Fraction(1, 2), -60 if squares else -40, 60)
    shared = share_between(steps, (0, 1, 2) if squares else (0, 2), 3, (1, None), (0, 0), centre)
    columns = [sum(values), sum(value**2 for value in values), len(values), len(values) + 7]
    numbers = [
        number * part.grid
        for number, part in zip(numbers_of(shared, columns), shared.primitives, strict=True)
    ]
    assert mixed(shared.mix(0), numbers) == 50
    assert mixed(shared.rows, numbers) == 57
    assert mixed(shared.total, numbers) == sum(value / 2 for value in values) + 50 * float(centre)
    if squares:
        assert mixed(shared.mix(2), numbers) == sum(value**2 / 4 for value in values)


def test_the_pair_has_half_of_the_variance_of_two_draws() -> None:
    """Worked: at ε = 1 and R = 1 two numbers of scale 1 give 4 for count and sum, two halves of ε give 8."""
    steps = FixedPoint(exp.column("x"), Fraction(1, 1000), -1000, 1000)
    shared = share_between(steps, (0, 2), None, (1, None), (0, 0))
    scale = float(shared.primitives[0].reach * shared.primitives[0].grid)
    for power in (0, 1):
        assert sum(2 * (weight * scale) ** 2 for _, weight in shared.mix(power)) == pytest.approx(4)
