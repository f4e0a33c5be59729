"""Snapping moves no two values farther apart than it says."""

import math
import sys
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from shoal.core.sampling.power_of_two_grid import Grid

NUMBERS = st.floats(-1e9, 1e9)
SIZES = st.fractions(Fraction(1, 10**6), 10**6)


@given(NUMBERS, NUMBERS, SIZES)
def test_two_values_stay_as_close_as_their_sensitivity(one: float, other: float, size: Fraction) -> None:
    grid = Grid.under(size)
    apart = abs(Fraction(one) - Fraction(other))
    assert abs(grid.snapped(one) - grid.snapped(other)) <= grid.steps(apart)
    assert abs(grid.snapped(one) * grid.step - Fraction(one)) <= grid.step / 2


@given(SIZES, SIZES)
def test_a_grid_is_a_power_of_two_and_fine(one: Fraction, other: Fraction) -> None:
    step = Grid.under(one, other).step
    assert math.log2(step) == int(math.log2(step))
    assert min(one, other) / 2**17 < step <= min(one, other) / 2**16
    assert Grid(step).steps(one) <= one / step * (1 + Fraction(1, 2**16))


def test_what_is_not_finite_has_a_step_too() -> None:
    grid, largest = Grid(Fraction(1)), sys.float_info.max
    assert grid.snapped(math.nan) == 0
    assert grid.snapped(math.inf) == int(largest) == -grid.snapped(-math.inf)
    assert grid.value(2 * int(largest)) == largest == -grid.value(-2 * int(largest))
    assert Grid(Fraction(1, 4)).value(-3) == -0.75
