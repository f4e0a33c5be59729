"""Report noisy max: privacy by adding up every outcome."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.noisy_max import NoisyMax
from statistical.goodness import ALARM, fits, laplace_pmf


def law(mechanism: NoisyMax, values: list[int]) -> dict[int, float]:
    """P(place) by adding up the noise of the winner and the tails of the others."""
    noise = laplace_pmf(mechanism.noise.scale, 400)
    below = np.cumsum(list(noise.values()))  # P(noise ≤ x), from x = -400 on

    def at_most(x: int) -> float:
        return float(below[min(max(x + 400, 0), 800)])

    found = {}
    for i, value in enumerate(values):
        found[i] = sum(
            chance
            # Those before must lie strictly below, those after may draw.
            * math.prod(at_most(value + x - v - (j < i)) for j, v in enumerate(values) if j != i)
            for x, chance in noise.items()
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("monotone", [False, True])
def test_places_come_with_their_probabilities_and_no_neighbour_stands_out(monotone: bool) -> None:
    mechanism = NoisyMax(Fraction(1), monotone=monotone)
    values = [5, 7, 6]
    here = law(mechanism, values)
    draws = np.array([mechanism.release(np.array(values)) for _ in range(6000)])
    assert sum(here.values()) == pytest.approx(1) and fits(draws, here) > ALARM
    worst = 0.0
    for moves in product((0, 1) if monotone else (-1, 0, 1), repeat=3):
        there = law(mechanism, [value + move for value, move in zip(values, moves, strict=True)])
        worst = max(worst, *(abs(math.log(here[i] / there[i])) for i in here))
    assert 0.3 < worst <= 1 + 1e-9
    # Half the noise would be too little.
    half = NoisyMax(Fraction(2), monotone=monotone)
    one, other = law(half, [5, 5, 5]), law(half, [5, 5, 6] if monotone else [4, 4, 6])
    assert abs(math.log(one[2] / other[2])) > 1


def test_nothing_to_choose_from() -> None:
    with pytest.raises(BadParameter, match="nothing to choose from"):
        NoisyMax(Fraction(1)).release(np.array([], np.int64))
