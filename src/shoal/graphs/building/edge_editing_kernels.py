"""The compiled loops that change a graph edge by edge. Each has a plain-Python twin in the tests.

`need` is how many edges a node still wants; below zero it has too many. What was changed stands in a table
of edges (`keys`, with `signs` 1 for added and -1 for removed) beside the rows of the graph, which stay.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import State, has_edge, random_below

Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_TRIES = 64  # random tries before every edge is looked at


@compiled
def _slot(keys: Int64, key: int) -> int:
    """Where an edge stands in the table, or the free place for it."""
    mask = len(keys) - 1
    at = (key * -7046029254386353131 >> 20) & mask
    while keys[at] != -1 and keys[at] != key:
        at = (at + 1) & mask
    return at


@compiled
def _key(nodes: int, one: int, other: int) -> int:
    return min(one, other) * nodes + max(one, other)


@compiled
def adjacent(offsets: Int64, targets: Int32, keys: Int64, signs: Int8, one: int, other: int) -> bool:
    """Whether there is an edge now."""
    at = _slot(keys, _key(len(offsets) - 1, one, other))
    if keys[at] != -1 and signs[at] != 0:
        return bool(signs[at] > 0)
    if offsets[one + 1] - offsets[one] > offsets[other + 1] - offsets[other]:
        one, other = other, one
    return has_edge(offsets, targets, one, other)


@compiled
def flip_edge(nodes: int, keys: Int64, signs: Int8, one: int, other: int, sign: int) -> None:
    """Add (1) or remove (-1) an edge."""
    key = _key(nodes, one, other)
    at = _slot(keys, key)
    keys[at] = key
    signs[at] += sign


@compiled
def add_edges(nodes: int, keys: Int64, signs: Int8, sources: Int32, ends: Int32) -> None:
    """Add many edges."""
    for edge in range(len(sources)):
        flip_edge(nodes, keys, signs, int(sources[edge]), int(ends[edge]), 1)


@compiled
def drop_edges(offsets: Int64, targets: Int32, keys: Int64, signs: Int8, need: Int64, nodes: Int64) -> None:
    """Remove edges between two nodes that have too many; the largest surplus first, on both sides."""
    for one in nodes:
        if need[one] >= 0:
            continue
        row = targets[offsets[one] : offsets[one + 1]]
        others = row[need[row] < 0]
        for index in np.argsort(need[others]):
            other = others[index]
            if need[one] == 0:
                break
            if need[other] < 0 and adjacent(offsets, targets, keys, signs, one, other):
                flip_edge(len(need), keys, signs, one, other, -1)
                need[one] += 1
                need[other] += 1


@compiled
def turn_edges(
    offsets: Int64,
    targets: Int32,
    keys: Int64,
    signs: Int8,
    need: Int64,
    surplus: Int64,
    short: Int64,
    state: State,
) -> None:
    """Turn edges of a node with too many to a node with too few: s–x becomes t–x."""
    turn = 0
    for source in surplus:
        start, size = offsets[source], offsets[source + 1] - offsets[source]
        failed = 0
        while need[source] < 0 and failed < len(short) and size > 0:
            node = short[turn % len(short)]
            found = -1
            if need[node] > 0:
                begin = random_below(state, size)
                for step in range(_TRIES + size):
                    at = start + (random_below(state, size) if step < _TRIES else (begin + step) % size)
                    other = targets[at]
                    if (
                        other != node
                        and adjacent(offsets, targets, keys, signs, source, other)
                        and not adjacent(offsets, targets, keys, signs, node, other)
                    ):
                        found = other
                        break
            if found < 0:
                failed += 1
                turn += 1
                continue
            failed = 0
            flip_edge(len(need), keys, signs, source, found, -1)
            flip_edge(len(need), keys, signs, node, found, 1)
            need[source] += 1
            need[node] -= 1
