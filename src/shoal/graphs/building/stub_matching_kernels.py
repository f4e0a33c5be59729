"""The compiled loops that turn stubs into edges.

A change is a set of pairs to link or, with `deleting`, of edges to drop, which is linking in the complement.
A pair is *open* to change when it is no edge yet (or, deleting, when it still is one).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
# The changed pairs: the two ends, whether the pair still stands, a list of slots per node; size and clock.
Book = tuple[Int32, Int32, NDArray[np.bool_], Int64, Int64, Int64, Int64]


@compiled
def new_book(nodes: int, capacity: int) -> Book:
    """An empty record of changed pairs, with a mark per node that says what is open to the node at hand."""
    return (
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.zeros(capacity, np.bool_),
        np.full(nodes, -1, np.int64),
        np.empty(2 * capacity, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(2, np.int64),
    )


@compiled
def look(node: int, offsets: Int64, targets: Int32, deleting: bool, book: Book, marks: Int64) -> int:
    """Mark what is joined to a node; the mark of this moment is returned."""
    one, other, stands, head, following, _, clock = book
    clock[1] += 1
    now: int = clock[1]
    for at in range(offsets[node], offsets[node + 1]):
        marks[targets[at]] = now
    slot = head[node]
    while slot >= 0:
        pair = slot >> 1
        if stands[pair]:
            neighbour = other[pair] if slot & 1 == 0 else one[pair]
            marks[neighbour] = 0 if deleting else now
        slot = following[slot]
    marks[node] = 0 if deleting else now  # nobody is open to themselves
    return now


@compiled
def change(a: np.int64 | int, b: np.int64 | int, book: Book) -> bool:
    """Note a pair as changed; false when the record is full."""
    one, other, stands, head, following, _, clock = book
    pair = clock[0]
    if pair == len(one):
        return False
    one[pair], other[pair], stands[pair] = a, b, True
    following[2 * pair], head[a] = head[a], 2 * pair
    following[2 * pair + 1], head[b] = head[b], 2 * pair + 1
    clock[0] += 1
    return True


@compiled
def greedy(order: Int64, stubs: Int64, offsets: Int64, targets: Int32, deleting: bool, book: Book) -> bool:
    """Give every node in turn the first open partners that have stubs too; what is left is stuck."""
    marks = book[5]
    ahead = np.arange(1, len(order) + 1)  # the next place whose node has stubs
    for place in range(len(order)):
        node = order[place]
        if stubs[node] == 0:
            continue
        now = look(node, offsets, targets, deleting, book, marks)
        if deleting:
            # Only neighbours are open: the ones with most stubs first.
            near = np.empty(offsets[node + 1] - offsets[node], np.int64)
            found = 0
            for at in range(offsets[node], offsets[node + 1]):
                if marks[targets[at]] == now and stubs[targets[at]] > 0:
                    near[found] = targets[at]
                    found += 1
            near = near[:found]
            if found > stubs[node]:
                near = near[np.argsort(-stubs[near], kind="mergesort")]
            for partner in near[: stubs[node]]:
                if not change(node, partner, book):
                    return False
                stubs[partner] -= 1
                stubs[node] -= 1
            continue
        last, at = place, ahead[place]
        while at < len(order) and stubs[node] > 0:
            partner = order[at]
            if stubs[partner] == 0:
                at = ahead[at]
                ahead[last] = at  # used up: nobody has to step over it again
                continue
            if marks[partner] != now:
                if not change(node, partner, book):
                    return False
                stubs[partner] -= 1
                stubs[node] -= 1
            last, at = at, ahead[at]
    return True


@compiled
def exchange(
    stuck: Int64, stubs: Int64, offsets: Int64, targets: Int32, deleting: bool, book: Book, budget: int
) -> bool:
    """Where u and v have stubs but are not open to each other, take a changed pair x-y back for u-x and v-y.

    u and v may be one node that lacks two. Looking stops after as many pairs as the budget says.
    """
    one, other, stands, _, _, marks, clock = book
    second = np.zeros(len(marks), np.int64)
    waiting = -1
    for node in stuck:
        now = 0
        if stubs[node] >= 2 and budget > 0:
            now = look(node, offsets, targets, deleting, book, marks)
            size = clock[0]
            budget -= size
            for pair in range(size):
                x, y = one[pair], other[pair]
                if stands[pair] and (marks[x] == now) == deleting and (marks[y] == now) == deleting:
                    stands[pair] = False
                    if not (change(node, x, book) and change(node, y, book)):
                        return False
                    marks[x], marks[y] = (0, 0) if deleting else (now, now)
                    stubs[node] -= 2
                    if stubs[node] < 2:
                        break
        if stubs[node] == 0 or budget <= 0:
            continue
        if waiting < 0:
            waiting = node
            continue
        now = look(node, offsets, targets, deleting, book, marks)
        then = look(waiting, offsets, targets, deleting, book, second)
        size = clock[0]
        budget -= size
        for pair in range(size):
            if not stands[pair]:
                continue
            x, y = one[pair], other[pair]
            if (marks[x] == now) != deleting or (second[y] == then) != deleting:
                x, y = y, x
            if (marks[x] == now) == deleting and (second[y] == then) == deleting:
                stands[pair] = False
                if not (change(node, x, book) and change(waiting, y, book)):
                    return False
                marks[x] = 0 if deleting else now
                second[y] = 0 if deleting else then
                stubs[node] -= 1
                stubs[waiting] -= 1
                if stubs[node] == 0 or stubs[waiting] == 0:
                    break
        if stubs[waiting] == 0 or stubs[node] > 0:
            waiting = node if stubs[node] > 0 else -1
    return True
