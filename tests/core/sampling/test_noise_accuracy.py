"""How far noise goes: against the exact laws, added up."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import exp  # type: ignore[import-untyped]

from shoal.core.sampling import noise_accuracy
from statistical.goodness import gaussian_pmf, laplace_pmf, real

pytestmark = pytest.mark.slow

SIZES = [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(37, 3), Fraction(40)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(19, 20), Fraction(999, 1000)])
def test_error_and_interval_are_those_of_the_law(size: Fraction, confidence: Fraction) -> None:
    for law, error, interval in (
        (
            laplace_pmf(size, 1600),
            noise_accuracy.laplace_error(size),
            noise_accuracy.laplace_interval(size, confidence),
        ),
        (
            gaussian_pmf(size**2, 400),
            noise_accuracy.gaussian_error(size**2),
            noise_accuracy.gaussian_interval(size**2, confidence),
        ),
    ):
        assert sum(abs(x) * p for x, p in law.items()) == pytest.approx(error, rel=1e-9)
        inside = [x for x in law if abs(x) <= interval]
        assert sum(law[x] for x in inside) >= float(confidence) - 1e-12
        if interval:
            assert sum(law[x] for x in inside if abs(x) < interval) < float(confidence)


def test_the_two_ways_to_an_interval_meet() -> None:
    for size in (Fraction(4095), Fraction(4097)):
        found = noise_accuracy.gaussian_interval(size**2, Fraction(19, 20))
        assert abs(found / float(size) - 1.959964) < 5e-4
        assert noise_accuracy.gaussian_error(size**2) == pytest.approx(float(size) * 0.7978845608, rel=1e-6)
    assert noise_accuracy.laplace_interval(Fraction(2**52), Fraction(19, 20)) == pytest.approx(
        2.995732 * 2**52, 1e-6
    )


@given(st.fractions(Fraction(1, 10), 10**6), st.integers(1, 60))
def test_a_tail_is_bounded_from_above_and_tightly(scale: Fraction, reach: int) -> None:
    ratio = exp(-1 / real(scale))
    true = ratio**reach / (1 + ratio)
    found = real(noise_accuracy.laplace_tail(scale, reach, 1024))
    assert true <= found <= true * (1 + 1e-9)


@given(st.fractions(Fraction(1, 50), 10**5), st.fractions(Fraction(1, 10**20), Fraction(9, 10)))
def test_the_smallest_reach_is_found(scale: Fraction, chance: Fraction) -> None:
    reach = noise_accuracy.laplace_reach(scale, chance)
    assert noise_accuracy.laplace_tail(scale, reach) <= chance
    assert reach == 1 or noise_accuracy.laplace_tail(scale, reach - 1) > chance


def test_far_out_nothing_takes_long() -> None:
    assert noise_accuracy.laplace_error(Fraction(1, 10**9)) == 0
    assert noise_accuracy.laplace_interval(Fraction(1, 10**9), Fraction(19, 20)) == 0
    assert noise_accuracy.gaussian_interval(Fraction(1, 10**9), Fraction(19, 20)) == 0
    assert noise_accuracy.laplace_reach(Fraction(1), Fraction(1, 10**400)) == 921
