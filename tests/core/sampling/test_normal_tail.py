"""The tail of the normal law lies between its bounds, and these close together."""

from fractions import Fraction

import mpmath  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.sampling.normal_tail import tail_bounds


def holds(x: Fraction) -> None:
    low, high = tail_bounds(x)
    if x < -1000:
        x, low, high = -x, 1 - high, 1 - low
    with mpmath.workdps(150):
        true = mpmath.erfc(mpmath.mpf(x.numerator) / x.denominator / mpmath.sqrt(2)) / 2
        assert mpmath.mpf(low.numerator) / low.denominator <= true
        assert true <= mpmath.mpf(high.numerator) / high.denominator
    assert 0 <= low <= high < 1
    assert high <= low * (1 + Fraction(1, 10**40)) or x > 1000


@settings(max_examples=40)
@given(st.fractions(-60, 60, max_denominator=10**9))
def test_the_truth_lies_between_the_bounds(x: Fraction) -> None:
    holds(x)


@pytest.mark.parametrize(
    "x", ["0", "5", "5.000000001", "4.999999999", "-5", "38", "1000", "1e30", "-1e30", "1/10000000000000000"]
)
def test_the_bounds_hold_where_one_formula_follows_the_other(x: str) -> None:
    holds(Fraction(x))


@settings(max_examples=40)
@given(st.fractions(-20, 20, max_denominator=10**6), st.fractions(0, 1, max_denominator=10**6))
def test_a_tail_falls(x: Fraction, more: Fraction) -> None:
    assert tail_bounds(x + more)[0] <= tail_bounds(x)[1]
