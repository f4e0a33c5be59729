"""The compiled loops behind private answers. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def pool_neighbours(values: Float64) -> Float64:
    """The nearest numbers (in squares) that never fall: neighbours that do are pooled to their mean."""
    sums, sizes, blocks = np.empty(len(values)), np.empty(len(values), np.int64), 0
    for value in values:
        sums[blocks], sizes[blocks] = value, 1
        blocks += 1
        while blocks > 1 and sums[blocks - 2] * sizes[blocks - 1] >= sums[blocks - 1] * sizes[blocks - 2]:
            sums[blocks - 2] += sums[blocks - 1]
            sizes[blocks - 2] += sizes[blocks - 1]
            blocks -= 1
    out, at = np.empty(len(values)), 0
    for block in range(blocks):
        out[at : at + sizes[block]] = sums[block] / sizes[block]
        at += sizes[block]
    return out


@compiled
def truncate_degrees(offsets: Int64, targets: Int32, bound: int) -> Int64:
    """Degrees after taking edges in the order of their ends, as long as both ends have fewer than a bound."""
    degrees = np.zeros(len(offsets) - 1, np.int64)
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            other = targets[at]
            if other > node and degrees[node] < bound and degrees[other] < bound:
                degrees[node] += 1
                degrees[other] += 1
    return degrees


@compiled
def triangles(offsets: Int64, targets: Int32) -> int:
    """How many there are; nodes must come by falling degree, or it takes long."""
    marked = np.full(len(offsets) - 1, -1, np.int64)
    found = 0
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            if targets[at] > node:
                break
            marked[targets[at]] = node
        for at in range(offsets[node], offsets[node + 1]):
            middle = targets[at]
            if middle > node:
                break
            for place in range(offsets[middle], offsets[middle + 1]):
                if targets[place] > middle:
                    break
                if marked[targets[place]] == node:
                    found += 1
    return found


@compiled
def most_shared(offsets: Int64, targets: Int32) -> int:
    """The most common neighbours that two nodes have; nodes must come by falling degree."""
    shared = np.zeros(len(offsets) - 1, np.int64)
    best = 0
    for node in range(len(offsets) - 1):
        if offsets[node + 1] - offsets[node] <= best:
            break  # neither this node nor those after it can share more
        for count in (True, False):  # and then the counts are wiped
            for at in range(offsets[node], offsets[node + 1]):
                middle = targets[at]
                for place in range(offsets[middle], offsets[middle + 1]):
                    other = targets[place]
                    if other >= node:
                        break
                    shared[other] = shared[other] + 1 if count else 0
                    best = max(best, shared[other])
    return best
