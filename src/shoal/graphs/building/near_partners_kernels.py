"""The compiled loop that gives added edges other partners, who look like true friends of the first end."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Bool = NDArray[np.bool_]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Rows = tuple[Int64, Int32]  # of a graph
Changed = tuple[Int64, Int64, Int32]  # anchors, where the changed edges of each begin, their other ends

_LOOKED = 500  # partners per edge that are looked at, on either side of the one that is wished for
_BATCHES = 16  # times per anchor that candidates are ranked anew


@compiled
def exchange_added(
    rows: Rows, barred: Rows, changed: Changed, models: Int64, taken: Bool, degrees: Int64, sizes: Int64,
    k: int, budget: int, again: bool,
) -> int:  # fmt: skip
    """Give added edges other partners, who look like true friends of the anchor; how many were exchanged.

    `models` are places in the rows of the anchors: true friends, one per added edge, like whom its other end
    should look. Friends in common are counted anew as partners come in, so that circles of people who know
    each other are found; `again` says that all partners count from the start. Nobody who is `taken` becomes a
    partner (they have added edges of their own), and nobody whose edge to the anchor is `barred`. `degrees`
    are those with all changes and `sizes` how many nodes have each: every one stays 0 or at least k.
    """
    offsets, targets = rows
    anchors, starts, partners = changed
    nodes = len(offsets) - 1
    shared, near, number = np.zeros(nodes, np.int64), np.empty(nodes, np.int64), np.zeros(1, np.int64)
    listed, closed = np.full(nodes, -1, np.int64), np.full(nodes, -1, np.int64)
    exchanged = 0
    for place in range(len(anchors)):
        anchor, begin, end = anchors[place], starts[place], starts[place + 1]
        if offsets[anchor] == offsets[anchor + 1] or budget < 0:
            continue
        number[0] = 0
        closed[anchor] = anchor
        for at in range(barred[0][anchor], barred[0][anchor + 1]):
            closed[barred[1][at]] = anchor
        for at in range(begin, end):
            closed[partners[at]] = anchor
        for at in range(offsets[anchor], offsets[anchor + 1]):
            closed[targets[at]] = anchor
            budget -= _count_friends(targets[at], 1, anchor, rows, shared, listed, near, number)
        if again:
            for at in range(begin, end):
                budget -= _count_friends(partners[at], 1, anchor, rows, shared, listed, near, number)
        batch = max(1, -(-(end - begin) // _BATCHES))
        for at in range(begin, end):
            if (at - begin) % batch == 0:
                free = _open(near[: number[0]], closed, anchor, taken)
                looks = _looks(free, anchor, shared, degrees)
                order = np.argsort(looks, kind="mergesort")
                free, looks = free[order], looks[order]
                budget -= number[0]
            old = partners[at]
            best = _nearest(targets[models[at]], old, free, looks, anchor, shared, degrees, sizes, k)
            budget -= 2 * _LOOKED
            if best >= 0:
                _hand_over(old, free[best], degrees, sizes)
                closed[old], closed[free[best]] = -1, anchor
                partners[at] = free[best]
                free[best] = -1
                exchanged += 1
                if again:
                    budget -= _count_friends(old, -1, anchor, rows, shared, listed, near, number)
            if best >= 0 or not again:
                budget -= _count_friends(partners[at], 1, anchor, rows, shared, listed, near, number)
        for at in range(number[0]):
            shared[near[at]] = 0
    return exchanged


@compiled
def _count_friends(
    friend: int, sign: int, anchor: int, rows: Rows, shared: Int64, listed: Int64, near: Int64, number: Int64
) -> int:
    """Count somebody as a friend of the anchor (or no more): all their friends share one more with it."""
    offsets, targets = rows
    for step in range(offsets[friend], offsets[friend + 1]):
        other = targets[step]
        if listed[other] != anchor:
            listed[other] = anchor
            near[number[0]] = other
            number[0] += 1
        shared[other] += sign
    return int(offsets[friend + 1] - offsets[friend])


@compiled
def _open(people: Int64, closed: Int64, anchor: int, taken: Bool) -> Int64:
    """Who may become a partner."""
    found, number = np.empty(len(people), np.int64), 0
    for other in people:
        if closed[other] != anchor and not taken[other]:
            found[number] = other
            number += 1
    return found[:number]


@compiled
def _looks(people: Int64, anchor: int, shared: Int64, degrees: Int64) -> NDArray[np.float64]:
    found = np.empty(len(people), np.float64)
    for at in range(len(people)):
        found[at] = _likeness(shared[people[at]], degrees[anchor], degrees[people[at]] + 1)
    return found


@compiled
def _nearest(
    model: int, old: int, free: Int64, looks: NDArray[np.float64], anchor: int, shared: Int64, degrees: Int64,
    sizes: Int64, k: int,
) -> int:  # fmt: skip
    """The place of whoever looks most like the model and may take the old partner's part; -1 for nobody."""
    wish: int = np.searchsorted(  # type: ignore[assignment]
        looks, _likeness(shared[model], degrees[anchor], degrees[model])
    )
    least, best = _distance(model, old, shared, degrees, 0), -1
    for rank in range(max(0, wish - _LOOKED), min(len(free), wish + _LOOKED)):
        other = free[rank]
        if other >= 0:
            far = _distance(model, other, shared, degrees, 1)
            if far < least and _may_change(old, other, degrees, sizes, k):
                least, best = far, rank
    return best


@compiled
def _likeness(shared: int, one: int, other: int) -> float:
    """Friends in common over friends of either (Jaccard)."""
    return shared / max(one + other - shared, 1)


@compiled
def _distance(friend: int, other: int, shared: Int64, degrees: Int64, more: int) -> float:
    """How differently two people look to whoever knows both: by friends in common, and by their number.

    `more` is how many friends the other one is about to get.
    """
    common = math.log((1 + shared[friend]) / (1 + shared[other]))
    return abs(common) + abs(math.log((1 + degrees[friend]) / (1 + degrees[other] + more)))


@compiled
def _may_change(gives: int, takes: int, degrees: Int64, sizes: Int64, k: int) -> bool:
    """Whether every degree is still shared by k when one node hands an edge over to another."""
    high, low = degrees[gives], degrees[takes]
    _hand_over(gives, takes, degrees, sizes)
    fine = True
    for degree in (high, high - 1, low, low + 1):
        if 0 < sizes[degree] < k:
            fine = False
    _hand_over(takes, gives, degrees, sizes)
    return fine


@compiled
def _hand_over(gives: int, takes: int, degrees: Int64, sizes: Int64) -> None:
    sizes[degrees[gives]] -= 1
    sizes[degrees[takes]] -= 1
    degrees[gives] -= 1
    degrees[takes] += 1
    sizes[degrees[gives]] += 1
    sizes[degrees[takes]] += 1
