"""The density estimator: right on average, and its memory tells an intruder no more than it may."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.pan_private_density import PanPrivateDensity
from statistical.audit import epsilon_from_below

ONE = Fraction(1)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_density_is_found_within_its_error(share: float) -> None:
    made = PanPrivateDensity(ONE, 20_000)
    stream = np.repeat(np.arange(int(share * 20_000)), 3)
    assert made.release(stream) == pytest.approx(share, abs=6 * made.error)


def test_the_bound_of_the_literature_holds() -> None:
    made = PanPrivateDensity(ONE, 2000)
    assert made.chance_of(0.3) == pytest.approx(2 * math.exp(-2000 * 0.09 * 0.25 / 8))
    off = [abs(made.release(np.arange(1000)) - 0.5) for _ in range(200)]
    assert np.mean(np.array(off) >= 0.3) <= made.chance_of(0.3) + 0.1


def test_how_often_somebody_comes_makes_no_difference_to_the_memory() -> None:
    once, often = (np.mean([_seen(times) for _ in range(2000)]) for times in (1, 7))
    assert once == pytest.approx(5 / 8, abs=0.06) and often == pytest.approx(5 / 8, abs=0.06)


def _seen(times: int) -> bool:
    memory = PanPrivateDensity(ONE, 1).begin()
    for _ in range(times):
        memory.see(0)
    return bool(memory.bits[0])


@pytest.mark.parametrize("epsilon", [ONE, Fraction(3)])
def test_an_intruder_who_looks_at_the_memory_learns_half_of_epsilon_at_most(epsilon: Fraction) -> None:
    """Exactly, bit by bit: users are independent, so that one bit is all that differs."""
    half = float(epsilon) / 2
    present = {1: 0.5 + half / 4, 0: 0.5 - half / 4}
    assert max(abs(math.log(chance / 0.5)) for chance in present.values()) <= half


@pytest.mark.slow
def test_an_audit_of_the_memory_finds_no_more_than_promised() -> None:
    def memory(other: bool) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        # A universe of many users who do the same is as many tries.
        memory = PanPrivateDensity(Fraction(2), 100_000).begin()
        if other:
            memory.see(np.arange(100_000))
        return memory.bits.astype(np.int64)

    found = epsilon_from_below(memory(False), memory(True))
    assert 0.5 < found <= 1


def test_strangers_count_nowhere_and_an_answer_comes_once() -> None:
    memory = PanPrivateDensity(ONE, 5).begin()
    before = memory.bits.copy()
    memory.see(np.array([-1, 5, 2**40]))
    assert (memory.bits == before).all()
    memory.estimate()
    for late in (memory.estimate, lambda: memory.see(1)):
        with pytest.raises(BadParameter, match="has answered"):
            late()


@pytest.mark.parametrize(("epsilon", "size"), [("3.01", 5), ("1", 0), ("1", 10**10), ("0", 4)])
def test_parameters_out_of_range_are_refused(epsilon: str, size: int) -> None:
    with pytest.raises(BadParameter, match="pan-private-density"):
        PanPrivateDensity(Fraction(epsilon), size)
