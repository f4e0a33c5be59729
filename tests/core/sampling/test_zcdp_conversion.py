"""ρ told as ε and δ, held to Google's accountants: never below what they find to be true."""

import math
from fractions import Fraction

import dp_accounting
import numpy as np
import pytest
from dp_accounting.rdp import rdp_privacy_accountant as rdp
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.sampling.zcdp_conversion import (
    delta_of,
    epsilon_of,
    rho_for,
    simple_epsilon,
)

ORDERS = 1 + np.exp(np.linspace(-4, 12, 4001))
rhos = st.fractions(min_value=Fraction(1, 10**6), max_value=50, max_denominator=10**12)
deltas = st.integers(1, 12).map(lambda digits: Fraction(1, 10**digits))


@given(rhos, deltas)
def test_never_below_the_exact_epsilon_of_the_gaussian_mechanism(rho: Fraction, delta: Fraction) -> None:
    # Gaussian noise of variance 1/(2ρ) is exactly ρ-zCDP, and its (ε, δ) is known exactly.
    truth = dp_accounting.get_epsilon_gaussian(1 / math.sqrt(2 * float(rho)), float(delta))
    assert float(epsilon_of(rho, delta)) >= truth - 1e-9


@given(rhos, deltas)
def test_as_tight_as_googles_renyi_accountant(rho: Fraction, delta: Fraction) -> None:
    google, _ = rdp.compute_epsilon(ORDERS, ORDERS * float(rho), float(delta))
    ours = float(epsilon_of(rho, delta))
    if google > 1e-3:  # near nothing Google has a further bound, by the Kullback-Leibler divergence
        assert ours == pytest.approx(google, rel=1e-4)
    assert ours <= float(simple_epsilon(rho, delta))


@given(rhos, st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=10**6))
def test_delta_is_as_tight_as_googles_and_never_below_the_gaussian(rho: Fraction, epsilon: Fraction) -> None:
    ours = float(delta_of(rho, epsilon))
    google, _ = rdp.compute_delta(ORDERS, ORDERS * float(rho), float(epsilon))
    if google > 1e-300 and google < math.sqrt(-math.expm1(-1.02 * float(rho))):
        # Google looks at the orders of a grid, we look between them: never worse, and better by a little.
        assert google * (1 - 1e-2) <= ours <= google * (1 + 1e-3)
    sigma = 1 / math.sqrt(2 * float(rho))
    assert ours >= _gaussian_delta(sigma, float(epsilon)) * (1 - 1e-6)


def _gaussian_delta(sigma: float, epsilon: float) -> float:
    """The exact δ of Gaussian noise: Balle & Wang 2018, Theorem 8."""

    def below(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    half, shift = 1 / (2 * sigma), epsilon * sigma
    return max(0.0, below(half - shift) - math.exp(epsilon) * below(-half - shift)) if epsilon < 700 else 0.0


@given(rhos, deltas)
def test_there_and_back_loses_little_and_never_gains(rho: Fraction, delta: Fraction) -> None:
    epsilon = epsilon_of(rho, delta)
    if epsilon:
        assert rho_for(epsilon, delta) == pytest.approx(rho, rel=1e-6)
    for budget in (Fraction(1, 10), Fraction(1), Fraction(8)):
        allowed = rho_for(budget, delta)
        assert epsilon_of(allowed, delta) <= budget * (1 + Fraction(1, 10**6))
        # exactly within at the order that gave it; here the order is found anew, in floating point
        assert delta_of(allowed, budget) <= delta * (1 + Fraction(1, 10**6))


@given(rhos, rhos, deltas)
def test_more_loss_is_never_told_as_less(one: Fraction, other: Fraction, delta: Fraction) -> None:
    low, high = sorted((one, other))
    slack = Fraction(1, 10**7)  # the order is found in floating point
    assert epsilon_of(low, delta) <= epsilon_of(high, delta) + slack
    assert rho_for(low, delta) <= rho_for(high, delta) + slack
    assert epsilon_of(low, delta / 10) >= epsilon_of(low, delta) - slack


def test_the_simple_form_to_the_digit() -> None:
    # ρ = 1/2 and δ = e^-2 give 1/2 + 2·√1; e is no fraction, so a bit more
    delta = Fraction(math.exp(-2))
    assert float(simple_epsilon(Fraction(1, 2), delta)) == pytest.approx(2.5)
    assert (
        simple_epsilon(Fraction(0), delta)
        == 0
        == epsilon_of(Fraction(0), delta)
        == rho_for(Fraction(0), delta)
    )


@pytest.mark.parametrize("loss, delta", [("-1", "1/10"), ("1", "0"), ("1", "1"), ("1", "-1/2")])
def test_what_makes_no_sense_is_told(loss: str, delta: str) -> None:
    for function in (epsilon_of, simple_epsilon, rho_for):
        with pytest.raises(BadParameter, match="makes no sense"):
            function(Fraction(loss), Fraction(delta))
    with pytest.raises(BadParameter):
        delta_of(Fraction(-1), Fraction(1))
