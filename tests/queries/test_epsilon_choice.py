"""What an ε means: the smallest that is good enough, and the odds that it leaves."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import Unreachable
from shoal.queries.epsilon_choice import UNLIKELY, Odds, smallest_epsilon
from shoal.queries.mechanisms.laplace import Laplace

LOSSES = st.fractions(Fraction(1, 100), 3)


@given(st.floats(0.02, 5000))
def test_no_smaller_epsilon_of_three_digits_is_good_enough(wanted: float) -> None:
    def error(epsilon: Fraction) -> float:
        return 1 / float(epsilon)

    found = smallest_epsilon(error, wanted)
    step = Fraction(10) ** (len(str(int(found * 10**4))) - 7)
    assert error(found) <= wanted
    assert found == Fraction(1, 10**4) or error(found - step) > wanted


def test_an_error_that_no_epsilon_buys_is_told() -> None:
    with pytest.raises(Unreachable, match="live with more"):
        smallest_epsilon(lambda _: 3.0, 2.0)


@given(LOSSES, st.floats(0.01, 0.99))
def test_no_answer_of_the_laplace_mechanism_makes_anybody_surer(loss: Fraction, before: float) -> None:
    odds, scale = Odds.of(loss, before), float(Laplace(loss).scale)
    answers = np.linspace(-40, 41, 163)
    ratio = np.exp((np.abs(answers) - np.abs(answers - 1)) / scale)  # with a person, the number is one more
    after = before * ratio / (before * ratio + 1 - before)
    assert after.max() == pytest.approx(odds.most) and after.min() == pytest.approx(odds.least)


def test_a_coin_becomes_e_to_the_epsilon_against_one() -> None:
    assert Odds.of(Fraction(1), 0.5).most == pytest.approx(np.e / (1 + np.e))
    assert "at most 73.1" in Odds.of(Fraction(1), 0.5).words


@given(LOSSES)
def test_gaussian_answers_exceed_the_odds_as_rarely_as_told(loss: Fraction) -> None:
    """The privacy loss of the Gaussian mechanism is normal, around ρ with a variance of 2ρ."""
    from scipy.stats import norm

    odds, rho = Odds.of(loss, 0.5, squared=True), float(loss) ** 2 / 2
    beyond = norm.sf(np.log(odds.factor), rho, np.sqrt(2 * rho))
    assert odds.unlikely == float(UNLIKELY) and beyond <= float(UNLIKELY)
    assert odds.most > Odds.of(loss, 0.5).most


def test_nobody_is_told_to_be_certain() -> None:
    assert 0 < Odds.of(Fraction(900), 0.5).least < Odds.of(Fraction(900), 0.5).most < 1
