"""How the rows of a class may be spread over the parts of its label, as far as the method lets one see.

Rows are drawn independently by how common each part is. What no run of the method would have left as it is
gets struck out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_ROWS = 300
MOST_WORK = 3_000_000  # parts times rows times rows of one label


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels with a number of rows each, as compressed rows of their parts."""

    begins: Int64  # where the parts of each label begin
    shares: Float64  # of each part, how common it is among the parts of its label; 0 for one ruled out
    rows: Int64  # of each label
    ends: Mask  # the first and the last part have a row: a range that is no wider than it must be
    # At least two parts have rows, as the label would else be finer.
    tight: Mask
    # With fewer rows nothing is split off; 0 where that is unknown. On a range no cut leaves as many on both
    # sides, elsewhere no part is as large with the rest as large.
    k: Int64


@dataclass(frozen=True, eq=False)
class RowDistribution:
    """What is known of each label: for certain, and about one part of it with a given confidence."""

    least: Int64  # of each part, the rows it has in every world that is left
    part: Int64  # of each label, the part that most rows can be given to with confidence
    rows: Int64  # how many
    chance: Float64  # how likely it has as many; 0 where no world is left


def spread(labels: Labels, confidence: float) -> RowDistribution:
    """What can be said about each label with at least a confidence."""
    return RowDistribution(
        *_spread(
            labels.begins, labels.shares, labels.rows, labels.ends, labels.tight, labels.k, float(confidence)
        )
    )


@compiled
def _spread(
    begins: Int64, shares: Float64, rows: Int64, ends: Mask, tight: Mask, k: Int64, confidence: float
) -> tuple[Int64, Int64, Int64, Float64]:
    number = len(rows)
    least = np.zeros(len(shares), np.int64)
    best = np.zeros(number, np.int64)
    most = np.zeros(number, np.int64)
    chance = np.zeros(number)
    for label in range(number):
        n, first, parts = rows[label], begins[label], begins[label + 1] - begins[label]
        best[label] = first
        if n > MOST_ROWS or parts * n * n > MOST_WORK:
            if ends[label]:  # what is certain needs no counting
                least[first] = least[first + parts - 1] = 1
                chance[label] = 1.0
            continue
        # What is possible at all is counted with whole numbers: a chance may be too small to be written down.
        own = shares[first : first + parts]
        possible = _possible(own, n, ends[label], tight[label], k[label])
        worlds = _marginals(possible, n, ends[label], k[label])
        chances = _marginals(possible * _weights(own, n), n, ends[label], k[label])
        if not worlds[0].sum() > 0.0 or not chances[0].sum() > 0.0:
            continue
        chance[label] = 1.0
        for i in range(parts):
            least[first + i] = np.flatnonzero(worlds[i] > 0.0)[0]
            upto, whole = 0.0, chances[i].sum()
            for j in range(n, 0, -1):  # how likely the part has at least j rows
                upto += chances[i, j] / whole
                if upto >= confidence:
                    if j > most[label]:
                        best[label], most[label], chance[label] = first + i, j, min(upto, 1.0)
                    break
    return least, best, most, chance


@compiled
def _marginals(weights: Float64, n: int, ends: bool, k: int) -> Float64:
    """Per part and number of rows the weight of all worlds in which it has as many."""
    parts = len(weights)
    before, after = _ways(weights, n, ends, k, False), _ways(weights, n, ends, k, True)
    found = np.zeros((parts, n + 1))
    for i in range(parts):
        for j in range(n + 1):
            if weights[i, j] > 0.0:
                ways = 0.0
                for t in range(n - j + 1):
                    ways += before[i, t] * after[i + 1, n - j - t]
                found[i, j] = ways * weights[i, j]
    return found


@compiled
def _possible(shares: Float64, n: int, ends: bool, tight: bool, k: int) -> Float64:
    """Per part and number of rows 1, or 0 for what the method would not have left."""
    parts = len(shares)
    possible = np.ones((parts, n + 1))
    for i in range(parts):
        for j in range(n + 1):
            if (tight and j == n) or (ends and j == 0 and (i == 0 or i == parts - 1)):
                possible[i, j] = 0.0
            if (k > 0 and not ends and k <= j <= n - k) or (j > 0 and shares[i] == 0.0):
                possible[i, j] = 0.0
    return possible


@compiled
def _weights(shares: Float64, n: int) -> Float64:
    """Per part and number of rows how likely that is for rows drawn by shares, up to a common factor."""
    weights = np.zeros((len(shares), n + 1))
    total = shares.sum()
    for i in range(len(shares)):
        mean = n * shares[i] / total if total > 0.0 else 0.0
        for j in range(n + 1):
            if mean > 0.0:
                weights[i, j] = math.exp(j * math.log(mean) - mean - math.lgamma(j + 1.0))
            elif j == 0:
                weights[i, j] = 1.0
    return weights


@compiled
def _ways(weights: Float64, n: int, ends: bool, k: int, backwards: bool) -> Float64:
    """Per part and number of rows dealt to the parts before it (or from it on) the weight of all ways."""
    parts = len(weights)
    ways = np.zeros((parts + 1, n + 1))
    start = parts if backwards else 0
    ways[start, 0] = 1.0
    for step in range(parts):
        i = parts - 1 - step if backwards else step
        here, there = (i + 1, i) if backwards else (i, i + 1)
        for t in range(n + 1):
            if ways[here, t] == 0.0:
                continue
            for j in range(n - t + 1):
                ways[there, t + j] += ways[here, t] * weights[i, j]
        if ends and k > 0 and 0 < there < parts:  # a cut here would have left k on both sides
            for t in range(k, n - k + 1):
                ways[there, t] = 0.0
    return ways
