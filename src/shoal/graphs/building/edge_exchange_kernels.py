"""The compiled loops that exchange edges. Each has a plain-Python twin in the tests.

Their parameters are those of the editing kernels: rows, table of changes, and what every node needs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import State, random_below
from shoal.graphs.building.edge_editing_kernels import adjacent, flip_edge

Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_TRIES = 64  # random tries before every edge is looked at


@compiled
def _opens(
    offsets: Int64, targets: Int32, keys: Int64, signs: Int8, one: int, other: int, x: int, y: int
) -> bool:
    """Whether the edge x–y may give way to one–x and other–y."""
    return (
        one != x
        and other != y
        and not adjacent(offsets, targets, keys, signs, one, x)
        and not adjacent(offsets, targets, keys, signs, other, y)
        and adjacent(offsets, targets, keys, signs, x, y)
    )


@compiled
def exchange_edges(
    offsets: Int64,
    targets: Int32,
    keys: Int64,
    signs: Int8,
    need: Int64,
    short: Int64,
    log: Int64,
    allowed: int,
    scans: int,
    state: State,
) -> None:
    """For two nodes with too few that cannot be joined: some x–y gives way to one–x and other–y.

    Added edges (`log` has their keys) are tried before those of the graph, because to lose them costs
    nothing; of the latter only so many are `allowed` to go. Looking at
    every edge is allowed only so often, too.
    """
    nodes = len(need)
    edges = len(targets)
    logged = len(log)
    for index in range(len(short)):
        one = short[index]
        partner = index + 1
        while need[one] > 0 and partner <= len(short):
            other = short[partner] if partner < len(short) else one
            if need[other] < (2 if other == one else 1):
                partner += 1
                continue
            found_x, found_y = -1, -1
            if other != one and not adjacent(offsets, targets, keys, signs, one, other):
                flip_edge(nodes, keys, signs, one, other, 1)
                need[one] -= 1
                need[other] -= 1
                continue
            for step in range(2 * _TRIES + edges):
                if step < _TRIES:
                    if logged == 0:
                        continue
                    key = log[random_below(state, logged)]
                    x, y = key // nodes, key % nodes
                    if random_below(state, 2) == 0:
                        x, y = y, x
                else:
                    if step == 2 * _TRIES:
                        if scans == 0:
                            break
                        scans -= 1
                    if edges == 0 or allowed == 0:
                        break
                    at = random_below(state, edges) if step < 2 * _TRIES else step - 2 * _TRIES
                    x, y = np.searchsorted(offsets, at, side="right") - 1, int(targets[at])
                if _opens(offsets, targets, keys, signs, one, other, x, y):
                    found_x, found_y = x, y
                    allowed -= 0 if step < _TRIES else 1
                    break
            if found_x < 0:
                partner += 1
                continue
            flip_edge(nodes, keys, signs, found_x, found_y, -1)
            flip_edge(nodes, keys, signs, one, found_x, 1)
            flip_edge(nodes, keys, signs, other, found_y, 1)
            need[one] -= 1
            need[other] -= 1


@compiled
def shorten_paths(
    offsets: Int64,
    targets: Int32,
    keys: Int64,
    signs: Int8,
    need: Int64,
    surplus: Int64,
    most: int,
    state: State,
) -> None:
    """For two nodes with too many that share no edge: one–x and other–y become x–y."""
    nodes = len(need)
    for index in range(len(surplus)):
        one = surplus[index]
        partner = index + 1
        while need[one] < 0 and partner <= len(surplus):
            other = surplus[partner] if partner < len(surplus) else one
            if need[other] > (-2 if other == one else -1):
                partner += 1
                continue
            wide, deep = offsets[one + 1] - offsets[one], offsets[other + 1] - offsets[other]
            from_x, from_y, looked = random_below(state, wide), random_below(state, deep), 0
            found_x, found_y = -1, -1
            for step in range(wide):
                x = int(targets[offsets[one] + (from_x + step) % wide])
                if not adjacent(offsets, targets, keys, signs, one, x):
                    continue
                for inner in range(deep):
                    looked += 1
                    y = int(targets[offsets[other] + (from_y + inner) % deep])
                    if (
                        x != y
                        and adjacent(offsets, targets, keys, signs, other, y)
                        and not adjacent(offsets, targets, keys, signs, x, y)
                    ):
                        found_x, found_y = x, y
                        break
                if found_x >= 0 or looked > most:
                    break
            if found_x < 0:
                partner += 1
                continue
            flip_edge(nodes, keys, signs, one, found_x, -1)
            flip_edge(nodes, keys, signs, other, found_y, -1)
            flip_edge(nodes, keys, signs, found_x, found_y, 1)
            need[one] += 1
            need[other] += 1


@compiled
def spread(
    offsets: Int64,
    targets: Int32,
    keys: Int64,
    signs: Int8,
    need: Int64,
    goal: Int64,
    counts: Int64,
    k: int,
    nodes: Int64,
    scans: int,
    state: State,
) -> None:
    """Serve a node from a large degree class: somebody of it gets one edge more (or less) than was planned.

    `counts` says how many nodes should have a degree; the class that is left keeps k, the one that is
    entered has them already. So everybody stays among k, at the price of the edge itself. Where not all can
    be served, an even number is left, because what comes after mends two at a time.
    """
    total = len(need)
    last, served, gone = -1, -1, 0
    for node in nodes:
        sign = 1 if need[node] > 0 else -1
        size = total if sign > 0 else offsets[node + 1] - offsets[node]
        while need[node] != 0 and size > 0:
            found, begin = -1, random_below(state, size)
            for step in range(_TRIES + size):
                if step == _TRIES:
                    if scans == 0:
                        break
                    scans -= 1
                at = random_below(state, size) if step < _TRIES else (begin + step) % size
                other = at if sign > 0 else int(targets[offsets[node] + at])
                if (
                    other != node
                    and need[other] == 0
                    and counts[goal[other]] > k
                    and 0 <= goal[other] + sign < len(counts)
                    and counts[goal[other] + sign] >= k
                    and adjacent(offsets, targets, keys, signs, node, other) == (sign < 0)
                ):
                    found = other
                    break
            if found < 0:
                break
            flip_edge(total, keys, signs, node, found, sign)
            counts[goal[found]] -= 1
            goal[found] += sign
            counts[goal[found]] += 1
            need[node] -= sign
            last, served, gone = found, node, sign
    if last >= 0 and np.abs(need).sum() % 2 == 1:
        flip_edge(total, keys, signs, served, last, -gone)
        counts[goal[last]] -= 1
        goal[last] -= gone
        counts[goal[last]] += 1
        need[served] += gone
