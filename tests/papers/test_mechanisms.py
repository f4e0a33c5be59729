"""The worked examples of the mechanisms, to the digit."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shoal.queries.mechanisms.histogram import Histogram
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.randomised_response import TWO_COINS

EPSILONS = [Fraction(1, 10), Fraction(1, 2), Fraction(1)]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_count_gets_noise_of_one_over_epsilon(epsilon: Fraction) -> None:
    assert Laplace(epsilon).scale == 1 / epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_histogram_gets_noise_of_one_over_epsilon_whatever_the_number_of_buckets(epsilon: Fraction) -> None:
    mechanism = Histogram(epsilon)
    assert mechanism.noise.scale == 1 / epsilon
    for buckets in (2, 50_000):
        released = mechanism.release(np.zeros(buckets, np.int64))
        assert released.shape == (buckets,)
    assert np.abs(released).mean() == pytest.approx(Laplace(epsilon).error, rel=0.05)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_seven_films_and_three_queries_of_sensitivity_two(epsilon: Fraction) -> None:
    # How many saw each of seven films: one person may have seen all seven.
    assert Laplace(epsilon, Fraction(7)).scale == 7 / epsilon
    # Three queries, each of which one person moves by two.
    assert Laplace(epsilon, Fraction(3 * 2)).scale == 6 / epsilon


def test_two_coins_tell_the_truth_three_times_in_four_and_cost_the_logarithm_of_three() -> None:
    # Heads: the truth. Tails: what the second coin says.
    told = [
        truth if first else second for truth in (True,) for first, second in product((True, False), repeat=2)
    ]
    assert Fraction(sum(told), len(told)) == TWO_COINS.truth == Fraction(3, 4)
    assert TWO_COINS.ratio == 3
    assert math.log(3) <= TWO_COINS.epsilon < math.log(3) + 2e-12
    # 1,000 people say yes 400 times: 0.75 x + 0.25 (1000 - x) = 400, so x = 300.
    said = np.repeat([0, 1], [600, 400])
    assert TWO_COINS.estimate(said).counts.tolist() == [700, 300]
    assert TWO_COINS.estimate(said).errors[1] == pytest.approx(math.sqrt(1000 * 3 / 16) / 0.5)


def test_seven_is_a_local_figure_and_no_guarantee() -> None:
    rows = [4, 2, 7, 1]
    assert sum(rows) == 14
    local = max(abs(sum(rows) - sum(rows[:i] + rows[i + 1 :])) for i in range(4))
    assert local == 7
    # With bounds declared as 0 to 10, a neighbour may move the sum by 10: noise for 7 breaks the promise.
    declared, made_for_seven = Laplace(Fraction(1), Fraction(10)), Laplace(Fraction(1), Fraction(7))
    assert Fraction(10) / declared.scale == 1 and Fraction(10) / made_for_seven.scale > 1
