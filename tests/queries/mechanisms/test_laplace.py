"""The Laplace mechanism: its law, its limits, and the attack on floating point that it withstands."""

import math
from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.laplace import MOST, Laplace
from statistical.goodness import ALARM, fits, laplace_pmf


@pytest.mark.parametrize("number", [500, 20_000])
def test_numbers_get_noise_of_their_scale(number: int) -> None:
    mechanism = Laplace(Fraction(1, 2), Fraction(3))
    values = np.arange(number) * 7
    assert fits(mechanism.release(values) - values, laplace_pmf(Fraction(6), 200)) > ALARM
    assert mechanism.release(values.reshape(2, -1)).shape == (2, number // 2)
    assert mechanism.rho == Fraction(1, 8) and mechanism.scale == 6


def test_the_interval_covers_as_often_as_it_says() -> None:
    mechanism = Laplace(Fraction(1, 10))
    noise = mechanism.release(np.zeros(200_000, np.int64))
    assert np.abs(noise).mean() == pytest.approx(mechanism.error, rel=0.02)
    assert 0.95 - 0.004 < (np.abs(noise) <= mechanism.interval()).mean() < 0.96
    draws = mechanism.draws((100_000,), np.random.default_rng(1))
    assert np.abs(draws).mean() == pytest.approx(mechanism.error, rel=0.03)


def test_the_largest_numbers_do_not_overflow() -> None:
    ends = np.array([2**63 - 1, -(2**63)] * 600)
    released = Laplace(Fraction(1, 2**51)).release(ends)
    assert (released[::2] > 2**61).all() and (released[1::2] < -(2**61)).all() and MOST == 2**62
    with pytest.raises(
        BadParameter, match=r"9\.0072e\+15 is beyond 4\.5036e\+15; raise epsilon, or tighten the bounds"
    ):
        Laplace(Fraction(1, 2**53))


def test_a_real_number_gets_noise_on_a_grid() -> None:
    mechanism = Laplace(Fraction(1, 2), Fraction(3, 10))
    released = np.array([mechanism.release_real(math.pi) for _ in range(4000)])
    step = 2.0**-18  # of 3/10, 65,536 and more
    assert (released / step == np.round(released / step)).all()
    assert np.abs(released - math.pi).mean() == pytest.approx(0.6, rel=0.12)
    assert abs(mechanism.release_real(math.nan)) < 100, "what is no number counts as 0"


def naive(
    value: float, words: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The textbook: value ± -ln(U), with U a double from 2^-53 to 1."""
    return value - np.log(words / 2.0**53)


def could_come_from(
    value: float, outputs: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether some U near the one that fits makes the output from a value: Mironov's attack."""
    near = np.round(np.exp(value - outputs) * 2.0**53).astype(np.int64)
    found = np.zeros(len(outputs), np.bool_)
    for shift in range(-40, 41):
        words = np.clip(near + shift, 1, 2**53)
        found |= naive(value, words) == outputs
    return found


def test_the_naive_sampler_is_caught_by_its_support_and_ours_is_not() -> None:
    # Values 0 and 1 differ in one person. Outputs that only one of them can give tell which.
    words = np.random.default_rng(3).integers(1, 2**53, 4000)
    outputs = naive(0.0, words[words < 2**51])  # noise above 1.4, where doubles are sparse
    outputs = outputs[outputs > 1]
    assert could_come_from(0.0, outputs).all()
    betrayed = ~could_come_from(1.0, outputs)
    assert betrayed.mean() > 0.2, "most of these outputs would be impossible for the neighbour"
    # Ours: whatever comes out lies on one grid for both, and every step of it is possible for both.
    mechanism = Laplace(Fraction(1))
    step = Fraction(1, 2**16)
    for value in (0.0, 1.0, 0.1):
        for _ in range(300):
            assert (Fraction(mechanism.release_real(value)) / step).denominator == 1
