"""The ladder: its closed forms, and the law of its draws."""

from fractions import Fraction

import numpy as np
import pytest

from shoal.core.sampling.random_bytes import Source
from shoal.graphs.mechanisms.triangles.ladder_function import Ladder, geometric
from statistical.goodness import ALARM, fits

LADDERS = [
    Ladder(1, 2, 1),
    Ladder(1, 2, 7),
    Ladder(1, 9, 6),
    Ladder(2, 5, 12),
    Ladder(3, 6, 3),
    Ladder(4, 30, 9),
    Ladder(5, 11, 40),
]


def reach_twin(ladder: Ladder, t: int) -> int:
    return min(ladder.shared + t, (ladder.spread + t) // 2, ladder.most)


@pytest.mark.parametrize("ladder", LADDERS, ids=str)
def test_closed_forms_agree_with_the_definition(ladder: Ladder) -> None:
    within = 0
    for t in range(150):
        assert ladder.reach(t) == reach_twin(ladder, t)
        assert ladder.within(t) == within
        # A number belongs to the first rung that goes as far.
        assert ladder.rung(within) == t and ladder.rung(within + 1) == t + 1
        within += reach_twin(ladder, t)


@pytest.mark.parametrize("ladder", LADDERS, ids=str)
def test_strips_stacked_are_the_rungs(ladder: Ladder) -> None:
    starts = [piece.score + piece.slope * at for piece in ladder.pieces() for at in range(piece.length)]
    numbers = [piece.start + at for piece in ladder.pieces() for at in range(piece.length)]
    assert numbers == list(range(len(numbers))) and len(numbers) == ladder.most
    for rung in range(150):
        width = 1 if rung == 0 else reach_twin(ladder, rung - 1)
        assert sum(start <= rung for start in starts) == width


def law(ladder: Ladder, rate: Fraction, far: int) -> dict[int, float]:
    """P of every number up to a distance, added up until nothing is left."""
    weights = {x: np.exp(-float(rate) * ladder.rung(abs(x))) for x in range(-far, far + 1)}
    total = sum(weights.values())
    return {x: float(weight / total) for x, weight in weights.items()}


@pytest.mark.parametrize("ladder", [LADDERS[0], LADDERS[1], LADDERS[5]], ids=str)
def test_draws_follow_the_law(ladder: Ladder) -> None:
    rate = Fraction(1, 2)
    draws = np.array([ladder.draw(rate) for _ in range(3000)])
    wanted = law(ladder, rate, ladder.within(90))
    assert fits(draws, wanted) > ALARM
    mean = sum(abs(x) * p for x, p in wanted.items())
    assert ladder.error(rate) == pytest.approx(mean, rel=1e-6)


def test_a_steep_rate_stays_at_the_truth_and_a_flat_one_is_no_trouble() -> None:
    assert {Ladder(3, 8, 50).draw(Fraction(2**20)) for _ in range(50)} == {0}
    flat = Fraction(1, 2**40)
    assert abs(Ladder(3, 8, 10**6).draw(flat)) > 1
    assert Ladder(3, 8, 10**6).error(flat) is None


def test_a_geometric_number_is_one() -> None:
    source = Source()
    draws = np.array([geometric(Fraction(1, 3), source) for _ in range(3000)])
    ratio = float(np.exp(-1 / 3))
    assert fits(draws, {x: (1 - ratio) * ratio**x for x in range(100)}) > ALARM
