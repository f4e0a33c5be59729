"""Randomised response: its probabilities, its ε, its estimate."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import log  # type: ignore[import-untyped]

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.randomised_response import TWO_COINS, RandomisedResponse
from statistical.goodness import ALARM, fits, real


@pytest.mark.parametrize(("truth", "categories"), [("3/4", 2), ("2/3", 2), ("0.4", 5), ("9/10", 3)])
def test_answers_come_with_their_probabilities(truth: str, categories: int) -> None:
    mechanism = RandomisedResponse(Fraction(truth), categories)
    told = mechanism.release(np.full(50_000, 1))
    lie = float((1 - mechanism.truth) / (categories - 1))
    law = {answer: float(mechanism.truth) if answer == 1 else lie for answer in range(categories)}
    assert fits(told, law) > ALARM


@given(st.fractions(Fraction(51, 100), Fraction(999, 1000)), st.integers(2, 9))
def test_epsilon_is_the_logarithm_rounded_up(truth: Fraction, categories: int) -> None:
    mechanism = RandomisedResponse(truth, categories)
    true = log(real(mechanism.ratio))
    assert true <= real(mechanism.epsilon) < true + 3e-12


@given(st.fractions(Fraction(1, 1000), 30), st.integers(2, 50))
def test_within_an_epsilon_the_truth_is_told_as_often_as_may_be(epsilon: Fraction, categories: int) -> None:
    mechanism = RandomisedResponse.within(epsilon, categories)
    assert log(real(mechanism.ratio)) <= real(epsilon)
    best = 1 / (1 + (categories - 1) * math.exp(-float(epsilon)))
    assert float(mechanism.truth) == pytest.approx(best, abs=1e-15)


def test_the_estimate_has_no_bias_and_its_error_is_the_true_one() -> None:
    mechanism = RandomisedResponse(Fraction(1, 2), 4)
    truth = np.repeat([0, 1, 2, 3], [6000, 3000, 1000, 0])
    found = [mechanism.estimate(mechanism.release(truth)) for _ in range(400)]
    counts = np.array([estimate.counts for estimate in found])
    error = found[0].errors
    assert np.abs(counts.mean(axis=0) - [6000, 3000, 1000, 0]).max() < 6 * error.max() / math.sqrt(400)
    assert np.allclose(counts.std(axis=0), error, rtol=0.25)
    assert counts.sum(axis=1) == pytest.approx(10_000)


def test_odd_parameters_and_answers() -> None:
    for truth, categories in (("1/2", 2), ("0.2", 5), ("1", 2), ("0", 2), ("0.9", 1)):
        with pytest.raises(BadParameter):
            RandomisedResponse(Fraction(truth), categories)
    with pytest.raises(BadParameter, match="epsilon above 0"):
        RandomisedResponse.within(Fraction(0))
    assert set(TWO_COINS.release(np.array([2, -1] * 50)).tolist()) == {0, 1}
    assert TWO_COINS.release(np.array([], np.int64)).shape == (0,)
