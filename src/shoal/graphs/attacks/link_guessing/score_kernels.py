"""The compiled loops behind link prediction. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def shared_friends(
    offsets: Int64, targets: Int32, sources: Int32, others: Int32, weights: Float64
) -> tuple[Int64, Float64]:
    """Per pair, how many friends both have, and the sum of the weights of these friends."""
    counts, sums = np.zeros(len(sources), np.int64), np.zeros(len(sources), np.float64)
    for pair in range(len(sources)):
        one, other = offsets[sources[pair]], offsets[others[pair]]
        one_end, other_end = offsets[sources[pair] + 1], offsets[others[pair] + 1]
        while one < one_end and other < other_end:
            if targets[one] < targets[other]:
                one += 1
            elif targets[one] > targets[other]:
                other += 1
            else:
                counts[pair] += 1
                sums[pair] += weights[targets[one]]
                one += 1
                other += 1
    return counts, sums


@compiled
def sum_over_friends(offsets: Int64, targets: Int32, columns: Float64) -> Float64:
    """Per node, the sum of its friends' rows: the adjacency matrix times some columns."""
    sums = np.zeros(columns.shape, np.float64)
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            for column in range(columns.shape[1]):
                sums[node, column] += columns[targets[at], column]
    return sums
