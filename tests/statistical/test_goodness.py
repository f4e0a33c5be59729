"""The ruler itself: it accepts the right law and catches a slightly wrong one."""

from fractions import Fraction

import numpy as np

from statistical.goodness import ALARM, fits, laplace_pmf, same


def drawn(scale: float, seed: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    chance = np.random.default_rng(seed)
    ratio = 1 - np.exp(-1 / scale)
    return chance.geometric(ratio, 200_000) - chance.geometric(ratio, 200_000)


def test_the_ruler_accepts_the_right_law_and_catches_a_wrong_one() -> None:
    law = laplace_pmf(Fraction(3), 60)
    assert fits(drawn(3, 1), law) > ALARM
    assert fits(drawn(3.15, 1), law) < ALARM
    assert fits(np.append(drawn(3, 1), [10**9] * 200), law) < ALARM
    assert same(drawn(3, 1), drawn(3, 2)) > ALARM
    assert same(drawn(3, 1), drawn(3.2, 2)) < ALARM
