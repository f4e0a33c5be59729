"""The graphs that fit a grouping: how many there are, one at random, and figures of many."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.grouping import Grouping

Float64 = NDArray[np.float64]

_SMALL = 32  # from here on the series below is right to the last digit


@dataclass(frozen=True)
class FigureRange:
    """A figure over several sampled graphs."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """What a sampled graph shows on average."""
        return math.fsum(self.values) / len(self.values)

    @property
    def deviation(self) -> float:
        """How far single graphs are from it."""
        if len(self.values) < 2:
            return 0.0
        centre = self.mean
        return math.sqrt(math.fsum((value - centre) ** 2 for value in self.values) / (len(self.values) - 1))

    @property
    def low(self) -> float:
        """The least one."""
        return min(self.values)

    @property
    def high(self) -> float:
        """The greatest one."""
        return max(self.values)


def log_worlds(grouping: Grouping) -> float:
    """The natural logarithm of how many graphs have these edges inside and between the groups."""
    return math.fsum(log_choose(grouping.pairs, grouping.weights))


def log_choose(several: Int64, chosen: Int64) -> Float64:
    """Logarithms of binomial coefficients.

    Differences of log-gamma lose all digits for 10¹³ pairs; here large terms cancel on paper, not in the
    machine.
    """
    result = np.zeros(len(several))
    real = (chosen > 0) & (chosen < several)
    n, d = several[real].astype(float), chosen[real].astype(float)
    rest = n - d
    result[real] = (
        d * np.log(n / d)
        - rest * np.log1p(-d / n)
        + 0.5 * np.log(n / (2 * math.pi * d * rest))
        + _remainder(n)
        - _remainder(d)
        - _remainder(rest)
    )
    return result


def sample(grouping: Grouping, chance: np.random.Generator) -> Graph:
    """A graph from the possible worlds, each as likely as the others; nodes of group 0 come first."""
    keys = _choose_pairs(grouping.pairs, grouping.weights, chance)
    first = np.cumsum(grouping.pairs) - grouping.pairs
    edge = np.repeat(np.arange(len(first)), grouping.weights)
    pair = keys - first[edge]
    source, target = grouping.sources[edge], grouping.targets[edge]
    inside = source == target
    one, other = np.empty_like(pair), np.empty_like(pair)
    width = grouping.sizes[target[~inside]]
    one[~inside], other[~inside] = pair[~inside] // width, pair[~inside] % width
    other[inside] = _larger(pair[inside])
    one[inside] = pair[inside] - other[inside] * (other[inside] - 1) // 2
    starts = np.cumsum(grouping.sizes) - grouping.sizes
    return Graph.of_edges(grouping.nodes, one + starts[source], other + starts[target])


def spread(
    grouping: Grouping, figure: Callable[[Graph], float], draws: int = 20, seed: int | None = None
) -> FigureRange:
    """A figure, such as the diameter, of several sampled graphs."""
    if draws < 1:
        raise BadParameter(f"{draws} draws show nothing; take at least 1")
    chance = generator(seed)
    return FigureRange(tuple(float(figure(sample(grouping, chance))) for _ in range(draws)))


def _choose_pairs(several: Int64, number: Int64, chance: np.random.Generator) -> Int64:
    """From each range of pairs as many different ones as asked, ascending; all choices equally likely.

    Repeats are thrown away and drawn anew: what was found treats all pairs alike at any moment, so it does
    at the end. Where more than half is wanted, what stays out is drawn instead.
    """
    first = np.cumsum(several) - several
    dense = 2 * number > several
    found = _draw(first, several, np.where(dense, several - number, number), chance)
    if not dense.any():
        return found
    owner = np.searchsorted(first, found, side="right") - 1
    everything = np.repeat(first[dense], several[dense])
    everything += _ranges_from_zero(several[dense])
    wanted = np.setdiff1d(everything, found[dense[owner]], assume_unique=True)
    return np.sort(np.concatenate((found[~dense[owner]], wanted)))


def _draw(first: Int64, several: Int64, number: Int64, chance: np.random.Generator) -> Int64:
    found = np.empty(0, np.int64)
    missing = number.copy()
    while missing.any():
        open_ = np.repeat(np.arange(len(first)), missing)
        drawn = first[open_] + chance.integers(0, several[open_])
        found = np.sort(np.concatenate((found, drawn)))  # np.unique takes far longer
        found = found[np.append(True, found[1:] != found[:-1])]
        owner = np.searchsorted(first, found, side="right") - 1
        missing = number - np.bincount(owner, minlength=len(first))
    return found


def _ranges_from_zero(lengths: Int64) -> Int64:
    """0, 1, … up to each length, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)


def _larger(pair: Int64) -> Int64:
    """The larger end j of the pair (i < j) with number j(j − 1)/2 + i."""
    end: Int64 = ((1 + np.sqrt(1 + 8 * pair.astype(float))) / 2).astype(np.int64)
    end -= end * (end - 1) // 2 > pair  # the root may be rounded either way
    end += end * (end + 1) // 2 <= pair
    return end


def _remainder(n: Float64) -> Float64:
    """What Stirling's formula leaves of log n!."""
    inverse = 1 / np.maximum(n, 1)
    square = inverse * inverse
    series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))
    return np.where(n < _SMALL, _REMAINDERS[np.minimum(n, _SMALL - 1).astype(np.int64)], series)


def _stirling(n: int) -> float:
    return n * math.log(n) - n + 0.5 * math.log(2 * math.pi * n)


_REMAINDERS = np.array([0.0, *(math.lgamma(i + 1) - _stirling(i) for i in range(1, _SMALL))])
