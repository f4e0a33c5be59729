"""The compiled loops that price a node and bound what lies below. Each has a twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def doom(doomed: Float64, more: Float64, sizes: Int64, smallest: int) -> float:
    """How many rows are doomed in all, when `more` are; `doomed` is brought up to that, class by class.

    What could be left of a class is released in parts of `smallest` rows or more, or not at all.
    """
    total = 0.0
    for g in range(len(doomed)):
        lost = max(doomed[g], more[g])
        if sizes[g] - lost < smallest:
            lost = float(sizes[g])
        doomed[g] = lost
        total += lost
    return total


@compiled
def row_costs(codes: Int32, rows: Int32, costs: Float64, starts: Int64) -> Float64:
    """For each tuple the sum over columns of `costs[starts[c] + leaf]`."""
    total = np.zeros(len(rows), np.float64)
    for i in range(len(rows)):
        row = rows[i]
        for c in range(codes.shape[1]):
            total[i] += costs[starts[c] + codes[row, c]]
    return total


@compiled
def least_below(
    codes: Int32,
    rows: Int32,
    weights: Float64,
    begins: Int64,
    node: Int64,
    levels: Float64,
    starts: Int64,
    gaps: Float64,
) -> Float64:
    """Per column, and per level up to the node's: what the level costs, and the gaps there of all weights.

    Each tuple brings its weight to one leaf of each column; `begins` says where the leaves of a column begin
    among all. The gaps of column c for a node on level l begin at `starts[c, l]`, leaves within lower levels.
    """
    columns = len(node)
    total = np.zeros(begins[-1], np.float64)
    for i in range(len(rows)):
        if weights[i] > 0.0:
            for c in range(columns):
                total[begins[c] + codes[rows[i], c]] += weights[i]
    found = np.empty(node.sum() + columns, np.float64)
    end = 0
    for c in range(columns):
        place = starts[c, node[c]]
        for level in range(node[c] + 1):
            cost = 0.0
            for leaf in range(begins[c], begins[c + 1]):
                cost += gaps[place] * total[leaf]
                place += 1
            found[end] = levels[c, level] + cost
            end += 1
    return found


@compiled
def lift_below(bound: Float64, strides: Int64, node: Int64, least: Float64) -> None:
    """Raise the bounds of a node and all below to the sum of their numbers, as `least_below` gives them."""
    last = len(node) - 1
    begins = np.zeros(len(node), np.int64)
    for c in range(last):
        begins[c + 1] = begins[c] + node[c] + 1
    upto = np.zeros(len(node), np.float64)  # of the columns before each
    for c in range(last):
        upto[c + 1] = upto[c] + least[begins[c]]
    at, place = np.zeros(len(node), np.int64), 0
    while True:
        for level in range(node[last] + 1):
            value = upto[last] + least[begins[last] + level]
            if value > bound[place + level]:
                bound[place + level] = value
        c = last - 1
        while c >= 0 and at[c] == node[c]:
            place -= at[c] * strides[c]
            at[c] = 0
            c -= 1
        if c < 0:
            return
        at[c] += 1
        place += strides[c]
        for after in range(c, last):
            upto[after + 1] = upto[after] + least[begins[after] + at[after]]
