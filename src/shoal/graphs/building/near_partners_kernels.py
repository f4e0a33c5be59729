"""The compiled loop that gives added edges other partners, who look like true friends of the first end."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import State, random_below

Bool = NDArray[np.bool_]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_LOOKED = 500  # partners per edge that are looked at, on either side of the one that is wished for


@compiled
def exchange_partners(
    offsets: Int64,
    targets: Int32,
    starts: Int64,
    partners: Int32,
    anchors: Int64,
    is_anchor: Bool,
    degrees: Int64,
    sizes: Int64,
    k: int,
    state: State,
    budget: int,
) -> tuple[int, int]:
    """Give the added edges of anchors other partners, in place; how many changed, and what is left to spend.

    `partners[starts[i]:starts[i + 1]]` are the other ends of the added edges of `anchors[i]`. Nobody with
    added edges of their own becomes a partner, so that no pair is linked twice. `degrees` are those with all
    added edges and `sizes` how many nodes have each degree: every one stays 0 or at least k.
    """
    nodes = len(offsets) - 1
    shared, closed = np.zeros(nodes, np.int64), np.full(nodes, -1, np.int64)
    near = np.empty(nodes, np.int64)
    changed = 0
    for place in range(len(anchors)):
        anchor = anchors[place]
        for at in range(offsets[anchor], offsets[anchor + 1]):
            friend = targets[at]
            budget -= offsets[friend + 1] - offsets[friend]
        if budget < 0 or offsets[anchor + 1] == offsets[anchor]:
            continue
        found = 0
        closed[anchor] = anchor
        for at in range(starts[place], starts[place + 1]):
            closed[partners[at]] = anchor
        for at in range(offsets[anchor], offsets[anchor + 1]):
            closed[targets[at]] = anchor
        for at in range(offsets[anchor], offsets[anchor + 1]):
            friend = targets[at]
            for step in range(offsets[friend], offsets[friend + 1]):
                other = targets[step]
                if shared[other] == 0:
                    near[found] = other
                    found += 1
                shared[other] += 1
        candidates, likeness = np.empty(found, np.int64), np.empty(found, np.float64)
        number = 0
        for at in range(found):
            other = near[at]
            if closed[other] != anchor and not is_anchor[other]:
                candidates[number] = other
                likeness[number] = _likeness(shared[other], degrees[anchor], degrees[other] + 1)
                number += 1
        order = np.argsort(likeness[:number], kind="mergesort")
        candidates, likeness = candidates[order], likeness[order]
        for at in range(starts[place], starts[place + 1]):
            # One of the anchor's own friends is drawn, and somebody like them is looked for.
            friend = targets[offsets[anchor] + random_below(state, offsets[anchor + 1] - offsets[anchor])]
            wish: int = np.searchsorted(  # type: ignore[assignment]
                likeness, _likeness(shared[friend], degrees[anchor], degrees[friend])
            )
            least = _distance(friend, partners[at], shared, degrees, 0)
            best = -1
            for rank in range(max(0, wish - _LOOKED), min(number, wish + _LOOKED)):
                other = candidates[rank]
                if other >= 0:
                    far = _distance(friend, other, shared, degrees, 1)
                    if far < least and _may_change(partners[at], other, degrees, sizes, k):
                        least, best = far, rank
            if best >= 0:
                _hand_over(partners[at], candidates[best], degrees, sizes)
                partners[at] = candidates[best]
                candidates[best] = -1
                changed += 1
            budget -= 2 * _LOOKED
        for at in range(found):
            shared[near[at]] = 0
    return changed, budget


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
