"""Three ways to keep a noisy running sum; each remembers what its next answer needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
Draw = Callable[[int], Int64]  # so many numbers of noise
SCALE = 2**20  # of the coefficients of a factorisation, which are whole numbers then
_BLOCK = 1024


class RunningSum(Protocol):
    """A sum that grows."""

    def add(self, value: int, /) -> int:
        """The noisy sum after one more value."""


class _Drawn:
    """Noise one by one, drawn in blocks; none is used twice."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.left: list[int] = []

    def one(self) -> int:
        if not self.left:
            self.left = self.draw(_BLOCK).tolist()
        return self.left.pop()


class NoisyElements:
    """Noise on every element, added up. Chan, Shi, Song 2011 (the simple counting mechanism)."""

    def __init__(self, draw: Draw) -> None:
        self.noise, self.sum = _Drawn(draw), 0

    def add(self, value: int) -> int:
        self.sum += value + self.noise.one()
        return self.sum


class NoisyTree:
    """Sums of stretches whose lengths are powers of two, each with noise; a prefix is made of a few.

    Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011 (the binary mechanism).
    """

    def __init__(self, draw: Draw, levels: int) -> None:
        self.noise, self.time = _Drawn(draw), 0
        self.exact, self.noisy = [0] * levels, [0] * levels

    def add(self, value: int) -> int:
        self.time += 1
        level = (self.time & -self.time).bit_length() - 1
        self.exact[level] = value + sum(self.exact[:level])
        self.exact[:level], self.noisy[:level] = [0] * level, [0] * level
        self.noisy[level] = self.exact[level] + self.noise.one()
        return sum(self.noisy[place] for place in range(len(self.noisy)) if self.time >> place & 1)


class FactorisedSum:
    """Prefix sums A = B·C: noise is added to C·x, and B turns that into the answers.

    C has the coefficients of 1/√(1-z), binom(2k, k)/4^k, rounded to whole multiples of 2^-20; B undoes C and
    adds up. What gets noise is whole, and B looks at nothing else.

    Fichtenberger, Henzinger, Upadhyay, "Constant matters: fine-grained error bound on differentially private
    continual observation", 2023; Henzinger, Upadhyay, Upadhyay, "Almost tight error bounds", 2023.
    """

    def __init__(self, draw: Draw, horizon: int) -> None:
        self.noise = _Drawn(draw)
        self.inner, self.outer = coefficients(horizon), answers_of(horizon)
        self.values, self.told = np.zeros(horizon, np.int64), np.zeros(horizon)
        self.time = 0

    def add(self, value: int) -> int:
        now = self.time
        self.values[now] = value
        exact = int(self.values[: now + 1] @ self.inner[now::-1])
        self.told[now] = exact + self.noise.one()
        self.time += 1
        return round(float(self.told[: now + 1] @ self.outer[now::-1]))


@lru_cache(maxsize=8)
def coefficients(horizon: int) -> Int64:
    """The first coefficients of 1/√(1-z), in whole multiples of 2^-20."""
    found = np.ones(horizon)
    found[1:] = np.cumprod((2 * np.arange(1, horizon) - 1) / (2 * np.arange(1, horizon)))
    return np.rint(SCALE * found).astype(np.int64)


@lru_cache(maxsize=8)
def answers_of(horizon: int) -> NDArray[np.float64]:
    """The coefficients by which noisy numbers become sums: 1/(1-z) divided by those of `coefficients`."""
    inner = coefficients(horizon) / SCALE
    found = np.zeros(horizon)
    for place in range(horizon):  # a division of power series
        found[place] = 1.0 - found[:place] @ inner[place:0:-1]
    return found / SCALE


def squared_reach(horizon: int) -> int:
    """How far one element moves all numbers that get noise, squared, in the Euclidean sense."""
    return sum(number * number for number in coefficients(horizon).tolist())


def tree_levels(horizon: int) -> int:
    """How many stretches one element is in."""
    return max(1, horizon.bit_length())


def tree_error(horizon: int, variance: float) -> float:
    """The root of the mean squared error of a tree over all times."""
    # A prefix of length t has as many stretches as t has digits 1.
    full = sum(_ones_below(horizon + 1, place) for place in range(horizon.bit_length()))
    return math.sqrt(variance * full / horizon)


def _ones_below(end: int, place: int) -> int:
    """How many of the numbers below `end` have a 1 at a binary place."""
    period = 1 << place + 1
    return end // period * (period // 2) + max(0, end % period - period // 2)


def factorised_error(horizon: int, variance: float) -> float:
    """The same of a factorisation."""
    squares = answers_of(horizon) ** 2
    return math.sqrt(variance * float((squares * np.arange(horizon, 0, -1)).sum()) / horizon)
