"""A counter that tells its count after every element."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale, check_variance, gaussian_noise, laplace_noise
from shoal.core.sampling.zcdp_conversion import rho_for
from shoal.queries.mechanisms.continual_count.running_sums import (
    FactorisedSum,
    NoisyElements,
    NoisyTree,
    RunningSum,
    factorised_error,
    squared_reach,
    tree_error,
    tree_levels,
)
from shoal.queries.stream_mechanism import StreamMechanism

Way = Literal["auto", "simple", "tree", "factorisation"]
LONGEST = 2**40
LONGEST_FACTORISED = 2**14  # it looks at all elements again for every answer


@dataclass(frozen=True)
class ContinualCount(StreamMechanism[NDArray[np.int64]]):
    """The running sum after every element of a stream, up to a horizon: ε-differential privacy, or (ε, δ).

    What one element says is hidden, all answers together, as if it had been 0; somebody with c elements has c
    times ε. That it came, and when, is not: there is an answer for each. Elements are whole numbers from 0 to
    `most`. `simple` adds noise to every element, `tree` to sums of stretches,
    `factorisation` (with a δ, up to 16,384 elements) to the numbers of a square-root factorisation, which has
    the smallest error known. `auto` takes the one with the least mean squared error for the horizon. Its
    memory holds true sums: it protects answers, not against somebody who breaks into the memory.

    Dwork, Naor, Pitassi, Rothblum, "Differential privacy under continual observation", 2010; Chan, Shi, Song,
    "Private and continual release of statistics", 2011; Fichtenberger, Henzinger, Upadhyay, "Constant
    matters", 2023.
    """

    name: ClassVar[str] = "continual-count"
    example: ClassVar[str] = "epsilon=1,horizon=4"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((0, 0, 0), (1, 0, 0))

    epsilon: Fraction
    horizon: int
    delta: Fraction = Fraction(0)
    most: int = 1
    way: Way = "auto"

    def __post_init__(self) -> None:
        settle(self, epsilon=None, delta=Fraction(0))
        whole(self, horizon=1, most=1)
        if self.way not in ("auto", "simple", "tree", "factorisation"):
            raise BadParameter(
                f"continual-count(way={self.way}): there is auto, simple, tree and factorisation"
            )
        if self.delta >= 1:
            raise BadParameter(f"continual-count needs delta below 1, not {float(self.delta):g}")
        for name, limit in (("horizon", LONGEST), ("most", 2**32)):
            if getattr(self, name) > limit:
                given = getattr(self, name)
                raise BadParameter(f"continual-count takes {name} up to {limit:,}, not {given:,}")
        if self.way == "factorisation" and not (self.delta and self.horizon <= LONGEST_FACTORISED):
            raise BadParameter(
                f"continual-count(way=factorisation) needs a delta and a horizon of {LONGEST_FACTORISED:,} "
                "at most; leave way out"
            )
        (check_variance if self.delta else check_scale)(self._noise(self.chosen))

    @property
    def failure(self) -> Fraction:
        return self.delta

    @property
    def chosen(self) -> Way:
        """The way that is taken, by the horizon alone."""
        if self.way != "auto":
            return self.way
        ways: list[Way] = ["simple", "tree"]
        if self.delta and self.horizon <= LONGEST_FACTORISED:
            ways.append("factorisation")
        return min(ways, key=self._root_mean_square)

    @property
    def error(self) -> float:
        """The root of the mean squared error over all elements up to the horizon."""
        return self._root_mean_square(self.chosen)

    def follow(self, elements: Iterable[int]) -> Iterator[float]:
        """The count after every element."""
        counting = self.begin()
        return (counting.add(element) for element in elements)

    def begin(self) -> Counting:
        """A counter at its beginning. Each costs ε anew."""
        return Counting(self)

    def release(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The answers after each of some elements."""
        counting = self.begin()
        return np.array([counting.add(int(value)) for value in integers(values).ravel()], np.int64)

    def _noise(self, way: Way) -> Fraction:
        """The scale of Laplace noise, or the variance of Gaussian noise, on each number that gets some."""
        if not self.delta:
            return self.most * (tree_levels(self.horizon) if way == "tree" else 1) / self.epsilon
        reach = {"simple": 1, "tree": tree_levels(self.horizon)}.get(way)
        if reach is None:
            reach = squared_reach(self.horizon)
        return Fraction(self.most**2 * reach) / (2 * rho_for(self.epsilon, self.delta))

    def _root_mean_square(self, way: Way) -> float:
        size = float(self._noise(way))
        variance = size if self.delta else 2 * size**2
        if way == "simple":
            return math.sqrt(variance * (self.horizon + 1) / 2)
        return (tree_error if way == "tree" else factorised_error)(self.horizon, variance)

    def _running(self) -> RunningSum:
        size = self._noise(self.chosen)

        def draw(number: int) -> NDArray[np.int64]:
            return gaussian_noise(size, number) if self.delta else laplace_noise(size, number)

        if self.chosen == "simple":
            return NoisyElements(draw)
        return (
            NoisyTree(draw, tree_levels(self.horizon))
            if self.chosen == "tree"
            else FactorisedSum(draw, self.horizon)
        )


class Counting:
    """A counter at work."""

    def __init__(self, counter: ContinualCount) -> None:
        self.counter, self.time = counter, 0
        self._sum = counter._running()

    def add(self, value: int) -> int:
        """The noisy sum after one more element; what is beyond 0 to `most` counts as the bound."""
        if self.time >= self.counter.horizon:
            raise BadParameter(
                f"the stream goes on beyond its horizon of {self.counter.horizon:,} elements, for which the "
                "noise was made; begin another counter with a longer horizon"
            )
        self.time += 1
        return self._sum.add(min(max(value, 0), self.counter.most))
