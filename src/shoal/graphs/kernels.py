"""The compiled loops over rows of neighbours. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_SHORT = 24  # rows up to this length are sorted in place, without a call


@njit(cache=True)
def rows_of(nodes: int, sources: Int32, targets: Int32, both: bool) -> tuple[Int64, Int32]:
    """Compressed rows of edges, in both directions or one; loops are left out."""
    offsets = np.zeros(nodes + 1, np.int64)
    for edge in range(len(sources)):
        if sources[edge] != targets[edge]:
            offsets[sources[edge] + 1] += 1
            if both:
                offsets[targets[edge] + 1] += 1
    for node in range(nodes):
        offsets[node + 1] += offsets[node]
    at = offsets[:-1].copy()
    found = np.empty(offsets[nodes], np.int32)
    for edge in range(len(sources)):
        one, other = sources[edge], targets[edge]
        if one != other:
            found[at[one]] = other
            at[one] += 1
            if both:
                found[at[other]] = one
                at[other] += 1
    return offsets, found


@njit(cache=True)
def sort_rows(offsets: Int64, found: Int32) -> None:
    """Bring every row into ascending order, in place."""
    for node in range(len(offsets) - 1):
        start, end = offsets[node], offsets[node + 1]
        if end - start > _SHORT:
            # Files are often in order already; asking is cheaper than sorting.
            for at in range(start + 1, end):
                if found[at] < found[at - 1]:
                    found[start:end].sort()
                    break
            continue
        for at in range(start + 1, end):
            value, hole = found[at], at
            while hole > start and found[hole - 1] > value:
                found[hole] = found[hole - 1]
                hole -= 1
            found[hole] = value


@njit(cache=True)
def without_repeats(offsets: Int64, found: Int32) -> tuple[Int64, Int32, int]:
    """Rows in order without what is in them twice, and how many entries that were."""
    repeated = 0
    for node in range(len(offsets) - 1):
        for at in range(offsets[node] + 1, offsets[node + 1]):
            if found[at] == found[at - 1]:
                repeated += 1
    if repeated == 0:
        return offsets, found, 0
    kept = np.empty(len(found) - repeated, np.int32)
    starts = np.zeros(len(offsets), np.int64)
    to = 0
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            if at == offsets[node] or found[at] != found[at - 1]:
                kept[to] = found[at]
                to += 1
        starts[node + 1] = to
    return starts, kept, repeated


@njit(cache=True)
def edges_of(offsets: Int64, found: Int32, once: bool) -> tuple[Int32, Int32]:
    """The two ends of every edge in the order of rows; with `once`, only from the smaller end."""
    number = len(found) // 2 if once else len(found)
    sources, targets = np.empty(number, np.int32), np.empty(number, np.int32)
    to = 0
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            if not once or node < found[at]:
                sources[to] = node
                targets[to] = found[at]
                to += 1
    return sources, targets
