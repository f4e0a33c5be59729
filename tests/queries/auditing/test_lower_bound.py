"""The bound is never above the truth, comes close to it, and sees what half lines do not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.queries.auditing.lower_bound import epsilon_from_below

SURE = 1 - 1e-9


def test_what_is_the_same_on_both_sides_costs_nothing() -> None:
    generator = np.random.default_rng(1)
    for columns in (1, 3):
        one, other = generator.normal(size=(2, 20_000, columns))
        assert epsilon_from_below(one, other, confidence=SURE) == 0


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
def test_two_coins_are_bounded_closely_and_never_above(epsilon: float) -> None:
    generator = np.random.default_rng(2)
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    one = generator.random(200_000) < truth
    other = generator.random(200_000) < 1 - truth
    found = epsilon_from_below(one.astype(float), other.astype(float), confidence=SURE)
    assert 0.85 * epsilon < found <= epsilon


def test_an_outcome_that_only_one_side_has_is_no_finite_promise() -> None:
    one, other = np.zeros(20_000), (np.random.default_rng(3).random(20_000) < 0.3).astype(float)
    assert epsilon_from_below(one, other, confidence=SURE) > 4
    assert epsilon_from_below(one, other, delta=0.4, confidence=SURE) < 0.1


def test_outcomes_that_matter_together_are_seen_though_each_alone_is_alike() -> None:
    generator = np.random.default_rng(4)
    first = generator.integers(0, 2, 20_000)
    one = np.stack([first, first], axis=1).astype(float)
    other = np.stack([first, 1 - first], axis=1).astype(float)
    assert epsilon_from_below(one, other, confidence=SURE) > 4


def test_what_was_not_told_is_an_outcome_too() -> None:
    generator = np.random.default_rng(5)
    one, other = generator.normal(size=(2, 20_000, 2))
    one[generator.random(20_000) < 0.5, 1] = np.nan
    assert epsilon_from_below(one, other, confidence=SURE) > 4
