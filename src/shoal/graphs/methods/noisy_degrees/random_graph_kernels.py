"""The compiled loops that build and stir a graph. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import random_below

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
UInt64 = NDArray[np.uint64]

_FREE = np.int64(-1)


@compiled
def highest_first(falling: Int64) -> tuple[Int32, Int32]:
    """Edges for falling degrees: the first node is joined to those that want most, again and again.

    `ends[d]` is one past the last node that still wants d or more. Of a run of nodes that want the same, the
    last are joined: then what is left still falls. The degrees must be realisable.
    """
    left = falling.copy()
    nodes = len(left)
    sources, targets = np.empty(left.sum() // 2, np.int32), np.empty(left.sum() // 2, np.int32)
    most = left[0] if nodes else 0
    ends = np.zeros(most + 2, np.int64)
    for value in left:
        ends[value] += 1
    for value in range(most - 1, -1, -1):
        ends[value] += ends[value + 1]
    number = 0
    for node in range(nodes):
        want = left[node]
        if want == 0:
            break
        # The node leaves the line: it is the first, so that only its own want is set to nothing.
        left[node] = 0
        value = left[node + 1] if node + 1 < nodes else 0
        start = node + 1
        while want > 0 and value > 0:
            end = ends[value]
            taken = min(want, end - start)
            for other in range(end - taken, end):
                sources[number], targets[number] = node, other
                number += 1
                left[other] -= 1
            ends[value] = end - taken
            want -= taken
            start = end
            if start >= nodes:
                break
            value = left[start]
    return sources[:number], targets[:number]


@compiled
def _place(table: Int64, key: np.int64) -> np.int64:
    """Where a key is in the table, or the free place where it would be."""
    mask = np.uint64(len(table) - 1)
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    at = (mixed >> np.uint64(20)) & mask
    while table[at] != _FREE and table[at] != key:
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@compiled
def _drop(table: Int64, key: np.int64) -> None:
    """Take a key out; those behind it that it kept from their place move up."""
    mask = len(table) - 1
    hole = _place(table, key)
    table[hole] = _FREE
    at = (hole + 1) & mask
    while table[at] != _FREE:
        moving = table[at]
        table[at] = _FREE
        table[_place(table, moving)] = moving
        at = (at + 1) & mask


@compiled
def _key(one: int, other: int, nodes: int) -> np.int64:
    """One number for an edge, whichever end comes first."""
    return np.int64(min(one, other)) * nodes + np.int64(max(one, other))


@compiled
def exchange(sources: Int32, targets: Int32, nodes: int, attempts: int, state: UInt64) -> int:
    """Two edges a–b and c–d become a–d and c–b, in place, where that makes a simple graph; how often."""
    size = 4
    while size < 2 * len(sources):
        size *= 2
    table = np.full(size, _FREE, np.int64)
    for edge in range(len(sources)):
        key = _key(sources[edge], targets[edge], nodes)
        table[_place(table, key)] = key
    done = 0
    for _ in range(attempts):
        first, second = random_below(state, len(sources)), random_below(state, len(sources))
        a, b, c, d = sources[first], targets[first], sources[second], targets[second]
        if random_below(state, 2):
            c, d = d, c
        if a in (c, d) or b in (c, d):
            continue
        one, other = _key(a, d, nodes), _key(c, b, nodes)
        if table[_place(table, one)] == one or table[_place(table, other)] == other:
            continue
        _drop(table, _key(a, b, nodes))
        _drop(table, _key(c, d, nodes))
        table[_place(table, one)] = one
        table[_place(table, other)] = other
        sources[first], targets[first], sources[second], targets[second] = a, d, c, b
        done += 1
    return done
