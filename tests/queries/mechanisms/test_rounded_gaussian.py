"""Normal noise, rounded: its law, and (ε, δ) held against other people's accounting."""

import math
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from scipy.stats import norm

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian
from statistical.goodness import ALARM, fits


def law(sigma: float, most: int) -> dict[int, float]:
    numbers = np.arange(-most, most + 1)
    found = norm.cdf((numbers + 0.5) / sigma) - norm.cdf((numbers - 0.5) / sigma)
    return dict(zip(numbers.tolist(), found.tolist(), strict=True))


def test_numbers_get_noise_of_their_variance() -> None:
    mechanism = RoundedGaussian(Fraction(1, 4), Fraction(2))
    assert mechanism.variance == 16 and mechanism.rho == Fraction(1, 8)
    values = np.arange(20_000)
    assert fits(mechanism.release(values) - values, law(4, 60)) > ALARM
    assert mechanism.draws((3, 2), np.random.default_rng(1)).shape == (3, 2)


@pytest.mark.parametrize("sigma", ["0.2", "0.5", "1", "3", "7.9", "8.1", "100"])
def test_error_and_interval_are_those_of_the_law(sigma: str) -> None:
    mechanism = RoundedGaussian(1 / Fraction(sigma) ** 2)
    exact = law(float(sigma), math.ceil(12 * float(sigma)) + 2)
    assert mechanism.error == pytest.approx(sum(abs(x) * p for x, p in exact.items()), rel=1e-3)
    within = mechanism.interval()
    assert sum(p for x, p in exact.items() if abs(x) <= within) >= 0.95
    assert within == 0 or sum(p for x, p in exact.items() if abs(x) < within) < 0.95


@pytest.mark.parametrize("epsilon", ["0.01", "1", "5"])
@pytest.mark.parametrize("delta", ["1e-3", "1e-6", "1e-12"])
def test_an_approximate_promise_has_the_analytic_noise_and_never_less(epsilon: str, delta: str) -> None:
    mechanism = RoundedGaussian.approximate(Fraction(epsilon), Fraction(delta))
    sigma = math.sqrt(mechanism.variance)
    assert sigma == pytest.approx(get_sigma_gaussian(float(epsilon), float(delta)), rel=1e-6)
    assert mechanism.variance < Gaussian.approximate(Fraction(epsilon), Fraction(delta)).variance


@pytest.mark.parametrize("sigma", [0.4, 1.0, 4.225])
def test_rounding_takes_nothing_from_the_promise(sigma: float) -> None:
    """δ of the rounded law, all outcomes added up, is at most that of the normal law."""
    numbers = np.arange(-200, 201)
    here = norm.cdf((numbers + 0.5) / sigma) - norm.cdf((numbers - 0.5) / sigma)
    there = norm.cdf((numbers - 0.5) / sigma) - norm.cdf((numbers - 1.5) / sigma)
    for epsilon in (0.1, 1.0, 3.0):
        found = np.maximum(0, here - math.exp(epsilon) * there).sum()
        mu = 1 / sigma
        true = norm.cdf(-epsilon / mu + mu / 2) - math.exp(epsilon) * norm.cdf(-epsilon / mu - mu / 2)
        assert found <= true * (1 + 1e-9) + 1e-15


def test_a_real_number_gets_noise_on_a_grid() -> None:
    mechanism = RoundedGaussian(Fraction(1), Fraction(3))
    released = np.array([mechanism.release_real(math.e) for _ in range(1500)])
    assert (released * 2**16 == np.round(released * 2**16)).all()
    assert released.std() == pytest.approx(3, rel=0.15) and released.mean() == pytest.approx(math.e, abs=0.5)


def test_what_makes_no_sense_is_refused() -> None:
    for squared in ("0", "-1"):
        with pytest.raises(BadParameter, match="above 0"):
            RoundedGaussian(Fraction(squared))
    with pytest.raises(BadParameter, match="epsilon above 0"):
        RoundedGaussian.approximate(Fraction(0), Fraction(1, 10))
