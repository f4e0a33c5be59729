"""Groups of tuples under labels of hierarchies: the compiled loops that grow groups and price them.

A group covers a stretch of the line of leaves of every column: `low`, `high`, and the `level` of the lowest
label over both. `Ground` is what a column's labels cost: `trees[c]` says where its line begins in `codes` and
`costs` (place by place, all levels of a place side by side), how many levels there are, and how many places
from the first are numbers whose stretches go out as ranges, at `units[c]` for each step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]
Whole = int | np.int64
Ground = tuple[Int64, Int32, Float64, Float64]  # trees, codes, costs, units
Covered = tuple[Int32, Int32, Int32, Float64, Float64]  # low, high, level, cells, price

FAR = 1e300
LEAST = 1e-9  # sums in another order differ in the last digits; that is no gain


@compiled
def joined_cost(
    one: Whole,
    low2: Int32,
    high2: Int32,
    level2: Int32,
    group: Whole,
    low: Int32,
    high: Int32,
    level: Int32,
    cells: Float64,
    price: float,
    ground: Ground,
    most: float,
) -> float:
    """What a row costs under the lowest labels over two groups; any cost from `most` on where it is more.

    `cells[group]` is what each label of the second costs by itself, `price` their sum.
    """
    trees, codes, costs, units = ground
    total = price
    for c in range(low.shape[1]):
        first, last = low[group, c], high[group, c]
        if low2[one, c] >= first and high2[one, c] <= last:
            continue
        first, last = min(first, low2[one, c]), max(last, high2[one, c])
        if last < trees[c, 2]:
            total += (last - first) * units[c] - cells[group, c]
        else:
            place, across = trees[c, 0] + first * trees[c, 1], trees[c, 0] + last * trees[c, 1]
            height = max(level[group, c], level2[one, c])
            while codes[place + height] != codes[across + height]:
                height += 1
            total += costs[place + height] - cells[group, c]
        if total >= most:
            break
    return total


@compiled
def fitted_cost(
    one: Whole,
    places: Int32,
    group: Whole,
    low: Int32,
    high: Int32,
    level: Int32,
    cells: Float64,
    price: float,
    ground: Ground,
    most: float,
) -> float:
    """The same for a group and one tuple."""
    trees, codes, costs, units = ground
    total = price
    for c in range(low.shape[1]):
        value, first, last = places[one, c], low[group, c], high[group, c]
        if value < first:
            first = value
        elif value > last:
            last = value
        else:
            continue
        if last < trees[c, 2]:
            total += (last - first) * units[c] - cells[group, c]
        else:
            place, across = trees[c, 0] + first * trees[c, 1], trees[c, 0] + last * trees[c, 1]
            height = level[group, c]
            while codes[place + height] != codes[across + height]:
                height += 1
            total += costs[place + height] - cells[group, c]
        if total >= most:
            break
    return total


@compiled
def widen(
    group: Whole,
    low: Int32,
    high: Int32,
    level: Int32,
    cells: Float64,
    one: Whole,
    places: Int32,
    ground: Ground,
) -> float:
    """Let a group cover a tuple too, and say what a row costs then."""
    trees, codes, costs, units = ground
    total = 0.0
    for c in range(low.shape[1]):
        value = places[one, c]
        if value < low[group, c] or value > high[group, c]:
            first, last = min(value, low[group, c]), max(value, high[group, c])
            place, across = trees[c, 0] + first * trees[c, 1], trees[c, 0] + last * trees[c, 1]
            height = level[group, c]
            while codes[place + height] != codes[across + height]:
                height += 1
            low[group, c], high[group, c], level[group, c] = first, last, height
            cells[group, c] = (last - first) * units[c] if last < trees[c, 2] else costs[place + height]
        total += cells[group, c]
    return total


@compiled
def begin(
    group: Whole,
    low: Int32,
    high: Int32,
    level: Int32,
    cells: Float64,
    one: Whole,
    places: Int32,
    ground: Ground,
) -> float:
    """Let a group cover one tuple and nothing else, and say what a row costs then."""
    trees, _, costs, _ = ground
    total = 0.0
    for c in range(low.shape[1]):
        value = places[one, c]
        low[group, c], high[group, c], level[group, c] = value, value, 0
        cells[group, c] = 0.0 if value < trees[c, 2] else costs[trees[c, 0] + value * trees[c, 1]]
        total += cells[group, c]
    return total


@compiled
def cover(members: Int64, offsets: Int64, places: Int32, ground: Ground) -> Covered:
    """Of groups what they cover in every column, what its labels cost, and what a row costs."""
    groups, columns = len(offsets) - 1, places.shape[1]
    low = np.empty((groups, columns), np.int32)
    high = np.empty((groups, columns), np.int32)
    level = np.zeros((groups, columns), np.int32)
    cells = np.zeros((groups, columns))
    price = np.zeros(groups)
    for g in range(groups):
        for at in range(offsets[g], offsets[g + 1]):
            if at == offsets[g]:
                price[g] = begin(g, low, high, level, cells, members[at], places, ground)
            else:
                price[g] = widen(g, low, high, level, cells, members[at], places, ground)
    return low, high, level, cells, price


@compiled
def regroup(
    pool: Int64, first: int, k: int, places: Int32, sizes: Int64, ground: Ground, group: Int32
) -> tuple[int, float]:
    """Put the tuples of a pool together anew, k rows or more in each group; how many groups, and their cost.

    A group begins with the tuple farthest from the group before it and takes the cheapest tuple next until it
    has k rows. What is left when too few are left goes where it costs least. `group[i]` is the group of
    pool[i].
    """
    columns = places.shape[1]
    left = 0
    for i in range(len(pool)):
        group[i] = -1
        left += sizes[pool[i]]
    most = max(int(left // k), 1)
    low = np.empty((most, columns), np.int32)
    high = np.empty((most, columns), np.int32)
    level = np.zeros((most, columns), np.int32)
    cells = np.zeros((most, columns))
    rows = np.zeros(most, np.int64)
    price = np.zeros(most)
    known = np.empty(len(pool))
    seed, found = first, 0
    while found < most and (left >= k or not found):
        if found:
            far, last = -1.0, found - 1
            for i in range(len(pool)):
                if group[i] < 0:
                    apart = fitted_cost(
                        pool[i], places, last, low, high, level, cells, price[last], ground, FAR
                    )
                    if apart > far:
                        far, seed = apart, i
        # What a tuple would cost in a group that grows is at least what it cost when the group was smaller.
        for i in range(len(pool)):
            known[i] = 0.0
        price[found] = begin(found, low, high, level, cells, pool[seed], places, ground)
        add = seed
        while add >= 0:
            group[add] = found
            rows[found] += sizes[pool[add]]
            left -= sizes[pool[add]]
            price[found] = widen(found, low, high, level, cells, pool[add], places, ground)
            add, least = -1, FAR
            if rows[found] >= k:
                break
            for i in range(len(pool)):
                if group[i] >= 0 or known[i] >= least:
                    continue
                known[i] = fitted_cost(
                    pool[i], places, found, low, high, level, cells, price[found], ground, least
                )
                if known[i] < least:
                    add, least = i, known[i]
        found += 1
    for i in range(len(pool)):
        if group[i] >= 0:
            continue
        size, best, least = sizes[pool[i]], 0, FAR
        for g in range(found):
            limit = (least + rows[g] * price[g]) / (rows[g] + size)
            joined = fitted_cost(pool[i], places, g, low, high, level, cells, price[g], ground, limit)
            more = (rows[g] + size) * joined - rows[g] * price[g]
            if more < least:
                best, least = g, more
        group[i] = best
        rows[best] += size
        price[best] = widen(best, low, high, level, cells, pool[i], places, ground)
    total = 0.0
    for g in range(found):
        total += rows[g] * price[g]
    return found, total


@compiled
def nearest_groups(
    asked: Int64, covered: Covered, rows: Int64, block: Int32, begins: Int64, ground: Ground
) -> tuple[Int64, Float64]:
    """For some groups the group of their block that is cheapest to join (-1 where there is no other), and how
    much more that costs. Groups are numbered block by block, from `begins[block]` on.
    """
    low, high, level, cells, price = covered
    found = np.full(len(asked), -1, np.int64)
    more = np.full(len(asked), FAR)
    for i in range(len(asked)):
        g = asked[i]
        for other in range(begins[block[g]], begins[block[g] + 1]):
            if other == g:
                continue
            both, alone = rows[g] + rows[other], rows[g] * price[g] + rows[other] * price[other]
            limit = (more[i] + alone) / both
            joined = joined_cost(
                g, low, high, level, other, low, high, level, cells, price[other], ground, limit
            )
            if both * joined - alone < more[i]:
                found[i], more[i] = other, both * joined - alone
    return found, more
