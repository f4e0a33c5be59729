"""Possible worlds of a class: every way to deal its sensitive values to its people is as likely as any other.

The attacker knows how many people are in each part of a class and which values the class has. What they learn
is that in some part some value occurs too often.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

LARGEST = 20_000  # rows times rows with the value, up to which all parts are looked at together


def blame(
    begins: Int64, sizes: Int64, limits: Int64, spans: Int64, counts: Int64, values: Int64
) -> tuple[Float64, Float64]:
    """Per group the chance that some value is too frequent in some part, and whose value it then is.

    Group g has the parts `begins[g]` to `begins[g + 1]` and the values `values[g]` to `values[g + 1]` with
    their `counts`; `limits[spans[g] + part * number of values + value]` is how often a value may occur in a
    part before it is too often. The first result adds up over values, which is exact where one value alone
    can be too frequent and else too high. The second has for every part and value the chance that a person of
    the part has the value and that this value is too frequent in some part: exact, or for classes past
    `LARGEST` a little too low.
    """
    logs = np.zeros(int(sizes.sum()) + 2)
    logs[1:] = np.cumsum(np.log(np.maximum(np.arange(len(logs) - 1), 1)))
    return _blame(begins, sizes, limits, spans, counts, values, logs[1:])


@compiled
def _blame(
    begins: Int64,
    sizes: Int64,
    limits: Int64,
    spans: Int64,
    counts: Int64,
    values: Int64,
    logs: Float64,
) -> tuple[Float64, Float64]:
    groups = len(begins) - 1
    total = np.zeros(groups)
    shares = np.zeros(len(limits))
    for g in range(groups):
        first, last = begins[g], begins[g + 1]
        kinds = values[g + 1] - values[g]
        rows = sizes[first:last].sum()
        for v in range(kinds):
            often = counts[values[g] + v]
            blamed = False
            for i in range(last - first):
                if limits[spans[g] + i * kinds + v] < min(often, sizes[first + i]):
                    blamed = True
            if not blamed:
                continue
            places = spans[g] + v + kinds * np.arange(last - first)
            within = limits[places]
            if rows * often <= LARGEST:
                chance, found = _together(sizes[first:last], within, rows, often, logs)
            else:
                chance, found = _apart(sizes[first:last], within, rows, often, logs)
            total[g] += chance
            for i in range(last - first):
                shares[places[i]] = found[i]
    return total, shares


@compiled
def _probability_chosen(n: int, j: int, logs: Float64) -> float:
    return logs[n] - logs[j] - logs[n - j]  # type: ignore[no-any-return]


@compiled
def _together(sizes: Int64, within: Int64, rows: int, often: int, logs: Float64) -> tuple[float, Float64]:
    """All parts at once. Per number of rows dealt: the chance with no part over its limit, and with one."""
    parts = len(sizes)
    share = often / rows
    # Rows drawn one by one with the value's share, and in the end as many as there are: the same worlds.
    weights = np.zeros((parts, often + 1))
    for i in range(parts):
        for j in range(min(often, sizes[i]) + 1):
            log = _probability_chosen(sizes[i], j, logs)
            if j:
                log += j * math.log(share)
            if sizes[i] > j:
                log += (sizes[i] - j) * math.log(1 - share) if share < 1 else -np.inf
            weights[i, j] = math.exp(log)
    fine = np.zeros((2, parts + 1, often + 1))  # before and after each part
    over = np.zeros((2, parts + 1, often + 1))
    fine[0, 0, 0] = fine[1, parts, 0] = 1.0
    for way in range(2):
        for step in range(parts):
            i = step if way == 0 else parts - 1 - step
            here, there = (i, i + 1) if way == 0 else (i + 1, i)
            for t in range(often + 1):
                if fine[way, here, t] == 0.0 and over[way, here, t] == 0.0:
                    continue
                for j in range(min(often - t, sizes[i]) + 1):
                    if j <= within[i]:
                        fine[way, there, t + j] += fine[way, here, t] * weights[i, j]
                        over[way, there, t + j] += over[way, here, t] * weights[i, j]
                    else:
                        over[way, there, t + j] += (fine[way, here, t] + over[way, here, t]) * weights[i, j]
    whole = fine[0, parts, often] + over[0, parts, often]
    found = np.zeros(parts)
    for i in range(parts):
        for j in range(1, min(often, sizes[i]) + 1):
            chance = 0.0
            for t in range(often - j + 1):
                rest = often - j - t
                chance += over[0, i, t] * (fine[1, i + 1, rest] + over[1, i + 1, rest])
                chance += fine[0, i, t] * over[1, i + 1, rest]
                if j > within[i]:
                    chance += fine[0, i, t] * fine[1, i + 1, rest]
            found[i] += j * weights[i, j] * chance
        found[i] /= sizes[i] * whole
    return over[0, parts, often] / whole, found


@compiled
def _apart(sizes: Int64, within: Int64, rows: int, often: int, logs: Float64) -> tuple[float, Float64]:
    """Each part by itself: too often anywhere is at most the sum, and one's own part is some part."""
    found = np.zeros(len(sizes))
    total = 0.0
    for i in range(len(sizes)):
        for j in range(max(within[i] + 1, often - rows + sizes[i], 0), min(often, sizes[i]) + 1):
            chance = math.exp(
                _probability_chosen(sizes[i], j, logs)
                + _probability_chosen(rows - sizes[i], often - j, logs)
                - _probability_chosen(rows, often, logs)
            )
            total += chance
            found[i] += j * chance / sizes[i]
    return min(total, 1.0), found
