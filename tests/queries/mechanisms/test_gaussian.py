"""The Gaussian mechanism: its law, and (ε, δ) held against other people's accounting."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.optimize import brentq
from scipy.stats import norm

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.gaussian import Gaussian
from statistical.goodness import ALARM, fits, gaussian_pmf


def test_numbers_get_noise_of_their_variance() -> None:
    mechanism = Gaussian(Fraction(1, 8), Fraction(2))
    assert mechanism.variance == 16
    values = np.arange(20_000)
    assert fits(mechanism.release(values) - values, gaussian_pmf(Fraction(16), 60)) > ALARM
    assert mechanism.error == pytest.approx(4 * math.sqrt(2 / math.pi), rel=0.01)
    assert mechanism.interval() == 8
    assert mechanism.draws((3, 2), np.random.default_rng(1)).shape == (3, 2)


def test_a_real_number_gets_noise_on_a_grid() -> None:
    mechanism = Gaussian(Fraction(1, 2), Fraction(3))
    released = np.array([mechanism.release_real(math.e) for _ in range(4000)])
    assert (released * 2**16 == np.round(released * 2**16)).all()
    assert released.std() == pytest.approx(3, rel=0.1) and released.mean() == pytest.approx(math.e, abs=0.4)


def analytic(epsilon: float, delta: float) -> float:
    """σ of the continuous law after Balle & Wang 2018."""

    def over(sigma: float) -> float:
        first = norm.cdf(1 / (2 * sigma) - epsilon * sigma)
        return float(first - math.exp(epsilon) * norm.cdf(-1 / (2 * sigma) - epsilon * sigma) - delta)

    return float(brentq(over, 1e-3, 1e6))


@pytest.mark.parametrize("epsilon", ["0.1", "1", "5"])
@pytest.mark.parametrize("delta", ["1e-3", "1e-6", "1e-12"])
def test_an_approximate_promise_is_kept_by_other_peoples_accounting(epsilon: str, delta: str) -> None:
    mechanism = Gaussian.approximate(Fraction(epsilon), Fraction(delta))
    sigma = math.sqrt(mechanism.variance)
    # Never less noise than the analytic calibration of the continuous law, and at most a fifth more.
    assert analytic(float(epsilon), float(delta)) <= sigma <= 1.2 * analytic(float(epsilon), float(delta))
    if sigma < 60:
        found = pld.from_discrete_gaussian_mechanism(sigma, value_discretization_interval=1e-3)
        assert found.get_delta_for_epsilon(float(epsilon)) <= float(delta) * (1 + 1e-6)


def test_conversion_is_what_the_formula_says_for_some_order() -> None:
    # δ(ρ, ε) = min over α of exp((α-1)(αρ-ε)) / (α-1) · (1-1/α)^α, by a fine walk over α.
    for epsilon, delta in ((1.0, 1e-6), (0.01, 1e-9), (8.0, 1e-2)):
        rho = float(Gaussian.approximate(Fraction(str(epsilon)), Fraction(str(delta))).rho)
        orders = 1 + np.exp(np.linspace(-20, 30, 200_001))
        logs = (orders - 1) * (orders * rho - epsilon) - np.log(orders - 1) + orders * np.log1p(-1 / orders)
        assert math.log(delta) * (1 + 1e-5) <= logs.min() <= math.log(delta) + 1e-6


@pytest.mark.parametrize("epsilon", ["1e-8", "1e-6", "1e-3", "1", "1e3"])
@pytest.mark.parametrize("delta", ["1e-30", "1e-12", "1e-6", "0.1"])
def test_a_promise_far_from_usual_is_kept_to_the_last_digit(epsilon: str, delta: str) -> None:
    """ρ was worked out in doubles, a hair too large: δ was up to a millionth more than promised."""
    with localcontext(prec=60):
        rho = _decimal(Gaussian.approximate(Fraction(epsilon), Fraction(delta)).rho)
        loss, spare = Decimal(epsilon), -Decimal(delta).ln()

        def log(order: Decimal) -> Decimal:
            """ln δ at α = 1 + e^order; every α gives a valid one."""
            above = order.exp()
            return above * ((1 + above) * rho - loss) - order - (1 + above) * (1 + 1 / above).ln()

        low, high = Decimal(-30), Decimal(80)
        for _ in range(250):  # it has one lowest point
            one, other = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, other) if log(one) < log(other) else (one, high)
        assert -Decimal("1e-4") < log(low) + spare < Decimal("1e-15")


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / value.denominator


def test_odd_promises() -> None:
    for epsilon, delta in (("0", "1e-6"), ("-1", "1e-6"), ("1", "0"), ("1", "1")):
        with pytest.raises(BadParameter):
            Gaussian.approximate(Fraction(epsilon), Fraction(delta))
    with pytest.raises(BadParameter, match="rho above 0"):
        Gaussian(Fraction(0))


def test_the_analytic_calibration_would_need_a_little_less_noise() -> None:
    """The figures on docs/mechanisms.md."""
    saved = [
        1 - get_sigma_gaussian(epsilon, delta) / math.sqrt(Gaussian.approximate(epsilon, delta).variance)  # type: ignore[arg-type]
        for epsilon in (0.01, 0.1, 1.0, 10.0)
        for delta in (1e-3, 1e-6, 1e-9, 1e-12)
    ]
    assert min(saved) > 0.03 and max(saved) < 0.22
