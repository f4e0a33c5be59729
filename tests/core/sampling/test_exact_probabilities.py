"""Bounds hold what they bound, and digits are the true ones."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import exp, floor, log, mp, mpf  # type: ignore[import-untyped]

from shoal.core.sampling.exact_probabilities import exp_bounds, exp_chance, log_bound, odds_chance

FRACTIONS = st.fractions(Fraction(1, 10**30), 1000)


def near(x: Fraction) -> mpf:
    mp.dps = 400
    return exp(-mpf(x.numerator) / x.denominator)


@given(FRACTIONS, st.integers(1, 400))
def test_bounds_hold_the_exponential_and_are_tight(x: Fraction, bits: int) -> None:
    low, high = exp_bounds(x, bits)
    assert mpf(low) <= near(x) * 2**bits <= mpf(high) and low >= 0 and high - low <= 3


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 10**200), Fraction(10**200)])
def test_bounds_hold_far_out(x: Fraction) -> None:
    low, high = exp_bounds(x, 64)
    assert low <= near(x) * 2**64 <= high and high - low <= 3


@given(FRACTIONS, st.integers(1, 24))
def test_digits_are_the_true_ones(x: Fraction, width: int) -> None:
    chance, odds = exp_chance(x), odds_chance(x)
    assert chance.digits(8 * width) == int(floor(near(x) * 256**width))
    assert odds.digits(8 * width) == int(floor(near(x) / (1 + near(x)) * 256**width))
    assert [chance.byte(place) for place in range(width)] == list(
        chance.digits(8 * width).to_bytes(width, "big")
    )


@given(st.fractions(Fraction(1001, 1000), 10**9))
def test_a_logarithm_is_bounded_from_above(ratio: Fraction) -> None:
    mp.dps = 100
    step = Fraction(1, 10**12)
    found, true = log_bound(ratio, step), log(mpf(ratio.numerator) / ratio.denominator)
    assert mpf(found.numerator) / found.denominator >= true
    assert mpf((found - 2 * step).numerator) / (found - 2 * step).denominator < true
