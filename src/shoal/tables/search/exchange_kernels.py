"""Tuples that change places between groups while that costs less: the compiled loops."""

from __future__ import annotations

import numpy as np

from shoal.core.compiled import compiled
from shoal.tables.search.clustering_kernels import (
    FAR,
    LEAST,
    Covered,
    Float64,
    Ground,
    Int32,
    Int64,
    Whole,
    begin,
    fitted_cost,
    widen,
)

TARGETS = 4
TRIES = 400  # tuples looked at for each pair of groups; in large groups only a few changes are tried


@compiled
def exchange(
    turn: Int64,
    part: Int32,
    kind: Int64,
    k: int,
    most: int,
    places: Int32,
    sizes: Int64,
    home: Int32,
    nearby: Int64,
    begins: Int64,
    covered: Covered,
    rows: Int64,
    ground: Ground,
    moved: Int64,
) -> float:
    """Each tuple in turn leaves for a better group, or changes places with a tuple there; how much is saved.

    Tuples change places only with their `kind`, so that groups keep what models look at; where k is above 0
    nothing but k rows is asked of a group, and anybody may leave or change. Of a block (`home`) the groups
    `nearby[begins[block]:begins[block + 1]]` are looked at. Groups of more than `most` tuples stay as they
    are. `moved` counts, per group, what happened to it.
    """
    low, high, level, cells, price = covered
    groups, columns = len(rows), places.shape[1]
    heads, following, count = _chains(part, groups)
    # Places 0 and 1: a group without one of its tuples.
    low2, high2 = np.empty((2, columns), np.int32), np.empty((2, columns), np.int32)
    level2, cells2 = np.empty((2, columns), np.int32), np.empty((2, columns))
    best, dear = np.empty(TARGETS, np.int64), np.empty(TARGETS)
    saved = 0.0
    for t in turn:
        a, s = np.int64(part[t]), sizes[t]
        if a < 0 or count[a] > most or count[a] < 2:
            continue
        alone = _without(t, heads[a], following, places, ground, 0, low2, high2, level2, cells2)
        out = rows[a] * price[a] - (rows[a] - s) * alone
        if out <= LEAST:
            continue
        dear[:] = FAR
        best[:] = -1
        for at in range(begins[home[t]], begins[home[t] + 1]):
            g = nearby[at]
            if g == a or s * price[g] >= dear[-1]:
                continue
            limit = (dear[-1] + rows[g] * price[g]) / (rows[g] + s)
            joined = fitted_cost(t, places, g, low, high, level, cells, price[g], ground, limit)
            more = (rows[g] + s) * joined - rows[g] * price[g]
            if more >= dear[-1]:
                continue
            slot = TARGETS - 1
            while slot > 0 and dear[slot - 1] > more:
                dear[slot], best[slot] = dear[slot - 1], best[slot - 1]
                slot -= 1
            dear[slot], best[slot] = more, g
        gain, to, back = LEAST, np.int64(-1), np.int64(-1)
        if k > 0 and rows[a] - s >= k and out - dear[0] > gain:
            gain, to = out - dear[0], best[0]
        for b in best:
            if b < 0 or count[b] > most:
                continue
            before = rows[a] * price[a] + rows[b] * price[b]
            u, tries = heads[b], TRIES // count[b]
            while u >= 0 and tries > 0:
                mine, theirs = rows[a] - s + sizes[u], rows[b] - sizes[u] + s
                if kind[u] == kind[t] or (k > 0 and mine >= k and theirs >= k):
                    here = mine * fitted_cost(
                        u, places, 0, low2, high2, level2, cells2, alone, ground, (before - gain) / mine
                    )
                    if here < before - gain:
                        rest = _without(
                            u, heads[b], following, places, ground, 1, low2, high2, level2, cells2
                        )
                        if rest < 0:
                            rest = begin(1, low2, high2, level2, cells2, t, places, ground)
                        there = theirs * fitted_cost(
                            t, places, 1, low2, high2, level2, cells2, rest, ground, FAR
                        )
                        if before - here - there > gain:
                            gain, to, back = before - here - there, b, u
                u = following[u]
        if to < 0:
            continue
        saved += gain
        _move(t, a, to, part, heads, following, count, rows, sizes)
        if back >= 0:
            _move(back, to, a, part, heads, following, count, rows, sizes)
        price[a] = _without(-1, heads[a], following, places, ground, a, low, high, level, cells)
        price[to] = _without(-1, heads[to], following, places, ground, to, low, high, level, cells)
        moved[a] += 1
        moved[to] += 1
    return saved


@compiled
def leaving_gains(
    part: Int32,
    most: int,
    places: Int32,
    sizes: Int64,
    rows: Int64,
    price: Float64,
    lost: float,
    ground: Ground,
) -> Float64:
    """Per tuple what is saved if it is left out, where a row left out costs `lost`.

    Its group may fail then.
    """
    columns = places.shape[1]
    heads, following, count = _chains(part, len(rows))
    low, high = np.empty((1, columns), np.int32), np.empty((1, columns), np.int32)
    level, cells = np.empty((1, columns), np.int32), np.empty((1, columns))
    gains = np.full(len(part), -FAR)
    for t in range(len(part)):
        a = part[t]
        if a < 0 or count[a] > most or count[a] < 2:
            continue
        alone = _without(t, heads[a], following, places, ground, 0, low, high, level, cells)
        gains[t] = rows[a] * price[a] - (rows[a] - sizes[t]) * alone - sizes[t] * lost
    return gains


@compiled
def _chains(part: Int32, groups: int) -> tuple[Int64, Int64, Int64]:
    """Who is in each group: its first tuple, after each tuple the next, and how many there are."""
    heads = np.full(groups, -1, np.int64)
    following = np.full(len(part), -1, np.int64)
    count = np.zeros(groups, np.int64)
    for t in range(len(part) - 1, -1, -1):
        if part[t] >= 0:
            following[t] = heads[part[t]]
            heads[part[t]] = t
            count[part[t]] += 1
    return heads, following, count


@compiled
def _without(
    absent: Whole,
    head: Whole,
    following: Int64,
    places: Int32,
    ground: Ground,
    slot: Whole,
    low: Int32,
    high: Int32,
    level: Int32,
    cells: Float64,
) -> float:
    """What a group covers without one of its tuples, and what a row costs then; -1 if nobody is left."""
    price, at = -1.0, head
    while at >= 0:
        if at != absent:
            if price < 0:
                price = begin(slot, low, high, level, cells, at, places, ground)
            else:
                price = widen(slot, low, high, level, cells, at, places, ground)
        at = following[at]
    return price


@compiled
def _move(
    t: Whole,
    a: Whole,
    b: Whole,
    part: Int32,
    heads: Int64,
    following: Int64,
    count: Int64,
    rows: Int64,
    sizes: Int64,
) -> None:
    """Take a tuple from one group to another."""
    at, before = heads[a], -1
    while at != t:
        at, before = following[at], at
    if before < 0:
        heads[a] = following[t]
    else:
        following[before] = following[t]
    following[t] = heads[b]
    heads[b] = t
    part[t] = b
    count[a] -= 1
    count[b] += 1
    rows[a] -= sizes[t]
    rows[b] += sizes[t]
