"""μ, ε and δ: exact against dp-accounting, and rounded against the analyst wherever there is rounding."""

import math
from fractions import Fraction

import dp_accounting
import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from dp_accounting.pld import privacy_loss_distribution as pld
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from shoal.core.errors import BadParameter
from shoal.core.sampling.gaussian_dp_conversion import delta_of, epsilon_of, range_for, squared_mu_for

EPSILONS = st.fractions(Fraction(1, 1000), 20, max_denominator=10**4)
DELTAS = st.integers(2, 15).map(lambda digits: Fraction(1, 10**digits))


@settings(max_examples=20, deadline=None)
@given(EPSILONS, DELTAS)
def test_a_limit_is_the_analytic_one_and_never_more(epsilon: Fraction, delta: Fraction) -> None:
    found = squared_mu_for(epsilon, delta)
    assert delta_of(found, epsilon) <= delta
    assert delta_of(found * (1 + Fraction(1, 10**9)), epsilon) > delta
    assert 1 / math.sqrt(found) == pytest.approx(get_sigma_gaussian(float(epsilon), float(delta)), rel=1e-6)


@settings(max_examples=20, deadline=None)
@given(EPSILONS, DELTAS)
def test_there_and_back_loses_and_never_gains(epsilon: Fraction, delta: Fraction) -> None:
    squared = squared_mu_for(epsilon, delta)
    back = epsilon_of(squared, delta)
    assert delta_of(squared, back) <= delta
    assert back == pytest.approx(float(epsilon), rel=1e-6)
    theirs = dp_accounting.get_epsilon_gaussian(1 / math.sqrt(squared), float(delta))
    assert float(back) >= theirs * (1 - 1e-6)


@settings(max_examples=25, deadline=None)
@given(EPSILONS, st.fractions(0, 9, max_denominator=10**6), st.fractions(0, 1, max_denominator=10**6))
def test_delta_rises_with_mu_and_falls_with_epsilon(
    epsilon: Fraction, squared: Fraction, more: Fraction
) -> None:
    hair = Fraction(1, 10**40)
    assert delta_of(squared, epsilon) <= delta_of(squared + more, epsilon) + hair
    assert delta_of(squared, epsilon + more) <= delta_of(squared, epsilon) + hair


def test_560_questions_of_a_hundredth_where_zcdp_has_fewer() -> None:
    """Worked: μ² for (1, 10⁻⁶) is 0.05603; dp-accounting composes 560 Gaussian mechanisms to the same."""
    limit = squared_mu_for(Fraction(1), Fraction(1, 10**6))
    assert limit // Fraction(1, 10**4) == 560
    one = pld.from_gaussian_mechanism(100.0, value_discretization_interval=1e-4)
    assert one.self_compose(560).get_delta_for_epsilon(1.0) == pytest.approx(1e-6, rel=0.01)
    assert one.self_compose(561).get_delta_for_epsilon(1.0) > 1e-6


@pytest.mark.parametrize("epsilon", ["1e-12", "1000", "10000", "1000000"])
def test_odd_budgets_have_limits_that_hold(epsilon: str) -> None:
    found = squared_mu_for(Fraction(epsilon), Fraction(1, 10**6))
    assert found >= 0 and delta_of(found, Fraction(epsilon)) <= Fraction(1, 10**6)


def test_nothing_spent_promises_everything_and_nonsense_is_refused() -> None:
    assert epsilon_of(Fraction(0), Fraction(1, 100)) == 0 == delta_of(Fraction(0), Fraction(1))
    assert squared_mu_for(Fraction(0), Fraction(1, 100)) == 0
    for squared, delta in (
        (Fraction(-1), Fraction(1, 2)),
        (Fraction(1), Fraction(0)),
        (Fraction(1), Fraction(1)),
    ):
        with pytest.raises(BadParameter):
            epsilon_of(squared, delta)
    with pytest.raises(BadParameter):
        range_for(Fraction(0))
    with pytest.raises(BadParameter):
        delta_of(Fraction(-1), Fraction(1))


def trade_off(mu: float, wrong: np.ndarray) -> np.ndarray:
    """The least error of the second kind of N(0, 1) against N(μ, 1)."""
    return np.asarray(norm.cdf(norm.ppf(1 - wrong) - mu))


@pytest.mark.parametrize("mu", [0.001, 0.01, 0.1, 0.5, 1, 2, 4, 6])
def test_no_choice_of_bounded_range_is_easier_to_see_through_than_its_gaussian(mu: float) -> None:
    """Brute force over where the two log-ratios lie, t and t - ε, and over all errors of the first kind."""
    epsilon = float(range_for(Fraction(mu) ** 2))
    wrong = np.concatenate([np.linspace(0, 1, 4001), np.geomspace(1e-12, 0.5, 500)])
    gaussian = trade_off(mu, wrong)
    for t in np.linspace(0, epsilon, 201)[1:-1]:
        choice = np.maximum(1 - math.exp(t) * wrong, math.exp(t - epsilon) * (1 - wrong))
        assert (gaussian <= choice + 1e-12).all()
    # and hardly less could be charged: at the corner both meet
    corner = 1 / (1 + math.exp(epsilon / 2))
    assert trade_off(mu, np.array([corner]))[0] == pytest.approx(corner, rel=1e-9)
    assert trade_off(mu * 0.999, np.array([corner]))[0] > corner


def test_what_the_proof_rests_on_holds() -> None:
    """Φ(x)Φ(-x)/φ(x) falls to both sides of 0."""
    x = np.linspace(0, 30, 30_001)
    slope = norm.logcdf(x) + norm.logsf(x) - norm.logpdf(x)
    assert (np.diff(slope) <= 1e-12).all()


@given(st.fractions(Fraction(1, 10**4), 9, max_denominator=10**4), st.fractions(0, 1, max_denominator=1000))
@settings(max_examples=20)
def test_two_choices_cost_no_more_than_one_of_both_ranges(squared: Fraction, share: Fraction) -> None:
    """μ² over the range rises with the range, so that of two parts the μ² together are less."""
    whole = float(range_for(squared))

    def mu(epsilon: float) -> float:
        return 2 * float(norm.ppf(1 / (1 + math.exp(-epsilon / 2))))

    assert mu(whole * float(share)) ** 2 + mu(whole * float(1 - share)) ** 2 <= float(squared) * (1 + 1e-9)


def test_whoever_may_choose_between_laws_on_the_way_gets_the_chances_of_both() -> None:
    """Why distributions of several laws are not composed: an answer, then one of two laws by what it told.

    Each of the two fixed orders is (ε, δ)-private; with the choice it is not. Exact, by adding up.
    """
    epsilon = 1.0
    first = {0.5: (0.6225, 0.3775), -0.5: (0.3775, 0.6225)}  # loss → its probability under both neighbours
    coin = {0.6: (0.6457, 0.3543), -0.6: (0.3543, 0.6457)}

    def delta(later: dict[float, dict[float, tuple[float, float]]]) -> float:
        return sum(
            max(0.0, here * p - math.exp(epsilon) * there * q)
            for loss, (here, there) in first.items()
            for p, q in later[loss].values()
        )

    same = delta(dict.fromkeys(first, coin))
    leak = {9.0: (same, 0.0), 0.0: (1 - same, 1.0)}  # tells all with a chance, and else nothing
    assert delta(dict.fromkeys(first, leak)) <= same * (1 + 1e-9)
    assert delta({0.5: coin, -0.5: leak}) > 1.3 * same
