"""The sparse vector technique: privacy by adding up every outcome, and none of the broken variants."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shoal.core.errors import BadParameter, Spent
from shoal.queries.mechanisms.sparse_vector import SparseVector
from statistical.goodness import ALARM, fits, laplace_pmf

Law = dict[tuple[bool, ...], float]


def law(
    values: list[int], threshold: Fraction, query: Fraction | None, positives: int | None, reach: int = 120
) -> Law:
    """P(answers) for noise scales on threshold and query (None: no noise), stopping after some positives."""
    noise = laplace_pmf(threshold, reach)
    found: Law = {}
    ratio = math.exp(-1 / float(query)) if query else 0.0

    def above(gap: int) -> float:
        """P(noise ≥ gap)."""
        if query is None:
            return float(gap <= 0)
        return ratio**gap / (1 + ratio) if gap > 0 else 1 - ratio ** (1 - gap) / (1 + ratio)

    outcomes = set()
    for answers in product((False, True), repeat=len(values)):
        cut = len(answers)
        if positives is not None:
            cut = next((i + 1 for i in range(cut) if sum(answers[: i + 1]) == positives), cut)
        outcomes.add(answers[:cut])
    for answers in outcomes:
        found[answers] = sum(
            chance
            * math.prod(
                above(shift - value) if answer else 1 - above(shift - value)
                for value, answer in zip(values, answers, strict=False)
            )
            for shift, chance in noise.items()
        )
    return found


def worst(one: Law, other: Law) -> float:
    """The largest logarithm of a ratio."""
    return max(
        math.inf if not (one[a] and other[a]) else abs(math.log(one[a] / other[a]))
        for a in one
        if one[a] > 1e-30 or other[a] > 1e-30
    )


def ours(mechanism: SparseVector, values: list[int]) -> Law:
    return law(
        values, mechanism.threshold_noise.scale, mechanism.query_noise.scale, mechanism.positives, reach=300
    )


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("positives", [1, 2])
def test_no_neighbour_is_told_apart_by_more_than_epsilon(monotone: bool, positives: int) -> None:
    mechanism = SparseVector(Fraction(1), positives=positives, monotone=monotone)
    assert mechanism.threshold_noise.epsilon + mechanism.query_noise.epsilon == 1
    for values in ([0, 0, 0, 0], [3, -2, 5, 0]):
        here = ours(mechanism, values)
        assert sum(here.values()) == pytest.approx(1)
        for moves in product((0, 1) if monotone else (-1, 1), repeat=4):
            there = ours(mechanism, [value + move for value, move in zip(values, moves, strict=True)])
            assert worst(here, there) <= 1 + 1e-6


def test_the_noise_is_that_of_the_paper() -> None:
    for positives in (1, 3, 10):
        mechanism = SparseVector(Fraction(1), positives=positives, sensitivity=Fraction(2))
        first, second = mechanism.threshold_noise.epsilon, mechanism.query_noise.epsilon
        assert mechanism.threshold_noise.scale == 2 / first
        assert mechanism.query_noise.scale == 2 * positives * 2 / second
        assert float(second / first) == pytest.approx((2 * positives) ** (2 / 3), rel=0.02)


def test_the_same_sum_catches_the_broken_variants() -> None:
    # Lyu, Su, Li 2017, figure 1, each with the promise ε = 1 on six queries that all move the wrong way.
    half, values = Fraction(2), [0] * 6  # noise for ε/2 on the threshold
    up, down = [1] * 3 + [-1] * 3, [-1] * 3 + [1] * 3
    # Algorithm 4 (Lee & Clifton): the noise of queries does not grow with the positives.
    assert worst(law(up, half, half, None), law(down, half, half, None)) > 1
    # Algorithm 5 (Stoddard et al.): no noise on queries at all.
    assert worst(law([0, 1], half, None, 1), law([1, 0], half, None, 1)) == math.inf
    # Algorithm 6 (Chen et al.): noise 1/ε₂ on queries, and no limit on positives.
    assert worst(law(up, half, half, None), law(values, half, half, None)) > 1
    # Forgetting the factor 2 for the two sides.
    mechanism = SparseVector(Fraction(1), positives=4)
    thin = mechanism.query_noise.scale / 8
    scale = mechanism.threshold_noise.scale
    assert worst(law(up, scale, thin, 4), law(down, scale, thin, 4)) > 1


def test_answers_come_with_their_probabilities_in_one_go_and_one_by_one() -> None:
    mechanism = SparseVector(Fraction(2), threshold=5, positives=1)
    values = [4, 6, 5]
    law_here = ours(mechanism, [value - 5 for value in values])
    keys = list(law_here)
    chances = {i: law_here[key] for i, key in enumerate(keys)}
    at_once = [tuple(mechanism.release(np.array(values)).tolist()) for _ in range(1200)]
    assert fits(np.array([keys.index(answers) for answers in at_once]), chances) > ALARM
    one_by_one = []
    for _ in range(600):
        run, answers = mechanism.start(), []
        for value in values:
            answers.append(run.above(value))
            if not run.left:
                break
        one_by_one.append(keys.index(tuple(answers)))
    assert fits(np.array(one_by_one), chances) > ALARM


def test_a_run_ends_with_its_last_positive() -> None:
    mechanism = SparseVector(Fraction(1), threshold=0, positives=2)
    run = mechanism.start()
    assert run.above(10**6) and run.above(10**6) and not run.left
    with pytest.raises(Spent, match="start a new one, which costs ε=1 again"):
        run.above(10**6)
    assert len(mechanism.release(np.full(10, 10**6))) == 2
    assert mechanism.release(np.full(10, -(10**6))).tolist() == [False] * 10
    assert "noise" not in repr(run)
    for bad in (2**62, 0.5):
        with pytest.raises(BadParameter, match="whole threshold"):
            SparseVector(Fraction(1), bad)  # type: ignore[arg-type]
