"""Selection: a group of one is told as rarely as promised, exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mpmath import exp  # type: ignore[import-untyped]
from scipy.stats import binom

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.partition_selection import Selection
from statistical.goodness import real


@pytest.mark.parametrize("epsilon", ["0.1", "1", "20"])
@pytest.mark.parametrize("delta", ["0.01", "1e-6", "1e-18"])
@pytest.mark.parametrize("groups", [1, 3, 50])
def test_the_threshold_is_the_least_that_keeps_the_promise(epsilon: str, delta: str, groups: int) -> None:
    mechanism = Selection(Fraction(epsilon), Fraction(delta), groups)
    rate = real(Fraction(epsilon)) / groups

    def told(threshold: int) -> object:
        return groups * exp(-rate * (threshold - 1)) / (1 + exp(-rate))

    assert told(mechanism.threshold) <= real(Fraction(delta))
    assert mechanism.threshold == 2 or told(mechanism.threshold - 1) > real(Fraction(delta))


def test_a_group_of_one_is_told_with_delta_and_large_ones_always() -> None:
    mechanism = Selection(Fraction(1), Fraction(1, 100))
    told = int(mechanism.kept(np.ones(200_000, np.int64)).sum())
    assert binom.sf(told, 200_000, 0.01) > 1e-8
    assert told > 500
    assert mechanism.kept(np.full(1000, 60)).all()
    noisy = mechanism.release(np.full(5000, 6))
    assert set(np.unique(noisy[noisy < mechanism.threshold])) <= {0}


def test_all_outcomes_together_keep_epsilon_and_delta() -> None:
    # One person alone in a group and one among others in a second: added up over what may be told.
    mechanism = Selection(Fraction(1), Fraction(1, 1000), 2)
    ratio = math.exp(-1 / 2)

    def tail(reach: int) -> float:
        return ratio**reach / (1 + ratio) if reach > 0 else 1 - ratio ** (1 - reach) / (1 + ratio)

    def law(first: int, second: int) -> dict[tuple[bool, bool], float]:
        found = {}
        told = [tail(mechanism.threshold - count) if count else 0.0 for count in (first, second)]
        for one in (False, True):
            for other in (False, True):
                found[one, other] = math.prod(
                    p if event else 1 - p for p, event in zip(told, (one, other), strict=True)
                )
        return found

    for shared in range(1, 30):
        here, there = law(1, shared + 1), law(0, shared)
        for first, second in ((here, there), (there, here)):
            over = sum(max(0.0, p - math.e * second[event]) for event, p in first.items())
            assert over <= 1e-3


def test_odd_parameters() -> None:
    for delta in ("0", "1", "-1"):
        with pytest.raises(BadParameter, match="between 0 and 1"):
            Selection(Fraction(1), Fraction(delta))
    with pytest.raises(BadParameter, match="groups"):
        Selection(Fraction(1), Fraction(1, 10), 0)
    assert Selection(Fraction(1), Fraction(1, 10)).kept(np.array([], np.int64)).shape == (0,)
