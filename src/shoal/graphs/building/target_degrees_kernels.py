"""The compiled loops behind target degrees. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int64 = NDArray[np.int64]

_FAR = np.int64(2**62)


@compiled
def descending(degrees: Int64) -> Int64:
    """Nodes by falling degree, those of equal degree by number: a counting sort."""
    most = 0
    for degree in degrees:
        most = max(most, degree)
    at = np.zeros(most + 2, np.int64)
    for degree in degrees:
        at[most - degree + 1] += 1
    for place in range(most + 1):
        at[place + 1] += at[place]
    order = np.empty(len(degrees), np.int64)
    for node in range(len(degrees)):
        place = most - degrees[node]
        order[at[place]] = node
        at[place] += 1
    return order


@compiled
def level_groups(order: Int64, values: Int64, starts: Int64, median: bool) -> Int64:
    """For every node the value that its group is brought to: its first, or its median."""
    targets = np.empty(len(values), np.int64)
    end = len(values)
    while end > 0:
        start = starts[end]
        value = values[start + (end - start) // 2] if median else values[start]
        for at in range(start, end):
            targets[order[at]] = value
        end = start
    return targets


@compiled
def raise_groups(values: Int64, k: int) -> Int64:
    """Where each group starts, when descending values are raised to the first of their group at least cost.

    A group that starts at t and ends before i costs (i - t) · values[t] less its sum: with t fixed, the
    cost of the first i values is a line in i of slope values[t]. Slopes fall as t grows and questions come in
    the order of i: the lowest line is found with one pointer on the lower envelope.
    """
    n = len(values)
    before = np.zeros(n + 1, np.int64)  # sums of the first i values
    for i in range(n):
        before[i + 1] = before[i] + values[i]
    cost = np.full(n + 1, _FAR, np.int64)
    cost[0] = 0
    start = np.zeros(n + 1, np.int64)
    slopes, heights, whose = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    first, size = 0, 0
    for i in range(k, n + 1):
        t = i - k
        if cost[t] < _FAR:
            slope, height = values[t], cost[t] + before[t] - t * values[t]
            while size - first >= 2:
                a, b = size - 2, size - 1
                # b is on the envelope only if it gets below a before the new line gets below b.
                if _meet(slopes[b], heights[b], slope, height) <= _meet(
                    slopes[a], heights[a], slopes[b], heights[b]
                ):
                    size -= 1
                else:
                    break
            if size - first == 1 and slopes[first] == slope and heights[first] >= height:
                size -= 1
            if not (size > first and slopes[size - 1] == slope):
                slopes[size], heights[size], whose[size] = slope, height, t
                size += 1
            elif heights[size - 1] > height:
                heights[size - 1], whose[size - 1] = height, t
        while (
            size - first >= 2
            and heights[first + 1] + i * slopes[first + 1] <= heights[first] + i * slopes[first]
        ):
            first += 1
        cost[i] = heights[first] + i * slopes[first] - before[i]
        start[i] = whose[first]
    return start


@compiled
def _meet(slope: int, height: int, lower: int, other: int) -> int:
    """The first whole number from which on the line of the lower slope is not above the other."""
    if slope == lower:
        return int(-_FAR if other <= height else _FAR)
    rise, fall = other - height, slope - lower
    return int(-((-rise) // fall))


@compiled
def _spread(before: Int64, t: int, i: int) -> int:
    """What it costs to bring the values from t to i (not included) to their median."""
    half = (i - t) // 2
    return int((before[t + half] - before[t]) - (before[i] - before[i - half]))


@compiled
def centre_groups(values: Int64, k: int) -> Int64:
    """Where each group starts, when descending values are brought to the median of their group at least cost.

    Costs are Monge (k-medians on a line), so the best start never moves back. A queue holds the starts that
    are best for some i to come, each with the i from which on it is.
    """
    n = len(values)
    before = np.zeros(n + 1, np.int64)
    for i in range(n):
        before[i + 1] = before[i] + values[i]
    cost = np.full(n + 1, _FAR, np.int64)
    cost[0] = 0
    start = np.zeros(n + 1, np.int64)
    whose, since = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    first, size = 0, 0
    for i in range(k, n + 1):
        t = i - k
        if cost[t] < _FAR:
            while size > first:
                last = whose[size - 1]
                at = max(since[size - 1], i)
                if cost[t] + _spread(before, t, at) <= cost[last] + _spread(before, last, at):
                    size -= 1
                else:
                    break
            if size == first:
                whose[size], since[size] = t, i
                size += 1
            else:
                low, step = max(since[size - 1], i), 1  # here the last one is better
                last = whose[size - 1]
                high = low
                while high <= n and cost[t] + _spread(before, t, high) > cost[last] + _spread(
                    before, last, high
                ):
                    low = high
                    high += step
                    step *= 2
                high = min(high, n + 1)
                while high - low > 1:
                    middle = (low + high) // 2
                    if cost[t] + _spread(before, t, middle) <= cost[last] + _spread(before, last, middle):
                        high = middle
                    else:
                        low = middle
                if high <= n:
                    whose[size], since[size] = t, high
                    size += 1
        while size - first >= 2 and since[first + 1] <= i:
            first += 1
        cost[i] = cost[whose[first]] + _spread(before, whose[first], i)
        start[i] = whose[first]
    return start
