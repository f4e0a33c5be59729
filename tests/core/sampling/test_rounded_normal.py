"""The normal law, rounded: the law itself, and the compiled loop beside its twin."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from core.sampling.tapes import Tape
from shoal.core.errors import BadParameter
from shoal.core.sampling.noise import FEW_ROUNDED, rounded_normal_many, rounded_normal_noise
from shoal.core.sampling.random_bytes import Source
from shoal.core.sampling.rounded_normal import RoundedNormal
from statistical.goodness import ALARM, fits

VARIANCES = [
    Fraction(1, 64),
    Fraction(1, 3),
    Fraction(7),
    Fraction(37) ** 4,
    Fraction(2) ** 81,
    Fraction(2) ** 104,
]


def law(variance: float, most: int = 60) -> dict[int, float]:
    sigma, numbers = variance**0.5, np.arange(-most, most + 1)
    found = norm.cdf((numbers + 0.5) / sigma) - norm.cdf((numbers - 0.5) / sigma)
    return dict(zip(numbers.tolist(), found.tolist(), strict=True))


@pytest.mark.parametrize("variance", VARIANCES)
def test_loop_and_twin_agree_byte_by_byte(variance: Fraction) -> None:
    tape, twin = Tape(7), Tape(7)
    tape.fresh = lambda _, made=tape.fresh: made(10**5)  # type: ignore[method-assign,misc]
    found = rounded_normal_many(RoundedNormal(variance), 150, tape)
    twin.refill(10**5)
    assert found.tolist() == [RoundedNormal(variance).draw(twin) for _ in range(150)]


@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(40)])
def test_the_law_is_that_of_normal_numbers_rounded(variance: Fraction) -> None:
    wanted = law(float(variance))
    many = rounded_normal_noise(variance, 60_000)
    assert fits(many, wanted) > ALARM
    source = Source()
    few = np.array([RoundedNormal(variance).draw(source) for _ in range(4000)])
    assert fits(few, wanted) > ALARM
    assert fits(many, law(float(variance) * 1.1)) < ALARM  # the ruler would have noticed


def test_running_short_of_bytes_favours_nobody() -> None:
    class Sips(Source):
        def refill(self, number: int) -> None:
            super().refill(200)

    assert fits(rounded_normal_many(RoundedNormal(Fraction(40)), 40_000, Sips()), law(40)) > ALARM


def test_a_coin_that_few_digits_do_not_decide_is_given_more() -> None:
    """y = 0 behind which nothing is known, and a coin of all ones: it falls when the next digits come."""
    chance = RoundedNormal(Fraction(1))
    kept = [chance._kept(0, 0, 2**64 - 1, Tape(seed)) for seed in range(200)]
    assert True in kept and False in kept


def test_no_draws_are_none_and_few_are_as_many_as_asked_for() -> None:
    assert rounded_normal_noise(Fraction(1), 0).shape == (0,)
    assert rounded_normal_noise(Fraction(1), FEW_ROUNDED - 1).shape == (FEW_ROUNDED - 1,)
    with pytest.raises(BadParameter, match="hides nobody"):
        rounded_normal_noise(Fraction(0), 1)
