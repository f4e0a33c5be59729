"""The compiled loops over neighbourhoods. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import scatter_bits

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
UInt64 = NDArray[np.uint64]

_ROUNDS = 3


@compiled
def inside(
    offsets: Int64, targets: Int32, node: int, place: Int32, starts: Int64, ends: Int32
) -> tuple[Int64, Int32]:
    """The edges among the neighbours of a node as compressed rows of places in its row.

    `place` is -1 for every node and is left so; `starts` and `ends` are room, and grow as needed.
    """
    first, last = offsets[node], offsets[node + 1]
    degree = last - first
    if len(starts) < degree + 1:
        starts = np.empty(2 * (degree + 1), np.int64)
    for at in range(degree):
        place[targets[first + at]] = at
    to = 0
    for at in range(degree):
        starts[at] = to
        friend = targets[first + at]
        room = to + min(offsets[friend + 1] - offsets[friend], degree)
        if len(ends) < room:
            grown = np.empty(2 * room, np.int32)
            grown[:to] = ends[:to]
            ends = grown
        if offsets[friend + 1] - offsets[friend] <= 8 * degree:
            for back in range(offsets[friend], offsets[friend + 1]):
                if place[targets[back]] >= 0:
                    ends[to] = place[targets[back]]
                    to += 1
        else:  # a hub among few neighbours: look these up in its row instead of walking it
            row = targets[offsets[friend] : offsets[friend + 1]]
            for other in range(degree):
                wanted = targets[first + other]
                found = np.searchsorted(row, wanted)
                if found < len(row) and row[found] == wanted:
                    ends[to] = other
                    to += 1
    starts[degree] = to
    for at in range(degree):
        place[targets[first + at]] = -1
    return starts, ends


@compiled
def refine_colours(degree: int, starts: Int64, ends: Int32, colours: UInt64, spare: UInt64) -> None:
    """Colour the places of a neighbourhood by what is around them, a few steps far, in place."""
    for _ in range(_ROUNDS):
        for at in range(degree):
            total = np.uint64(0)
            for edge in range(starts[at], starts[at + 1]):
                total += scatter_bits(colours[ends[edge]] + np.uint64(0x9E3779B97F4A7C15))
            spare[at] = scatter_bits(colours[at] * np.uint64(3) + total)
        colours[:degree] = spare[:degree]


@compiled
def summaries(offsets: Int64, targets: Int32, kinds: Int64) -> tuple[Int64, Int64, UInt64]:
    """Per node: edges among its neighbours, the most that one of these has there, and a fingerprint.

    Neighbourhoods that are alike have equal summaries; equal summaries may still differ.
    """
    nodes = len(offsets) - 1
    place = np.full(nodes, -1, np.int32)
    starts, ends = np.empty(64, np.int64), np.empty(256, np.int32)
    most = 1
    for node in range(nodes):
        most = max(most, offsets[node + 1] - offsets[node])
    colours, spare = np.empty(most, np.uint64), np.empty(most, np.uint64)
    edges, peaks = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    prints = np.zeros(nodes, np.uint64)
    for node in range(nodes):
        first = offsets[node]
        degree = offsets[node + 1] - first
        starts, ends = inside(offsets, targets, node, place, starts, ends)
        edges[node] = starts[degree] // 2
        for at in range(degree):
            peaks[node] = max(peaks[node], starts[at + 1] - starts[at])
            colours[at] = scatter_bits(np.uint64(kinds[targets[first + at]] + 1))
        if edges[node]:
            refine_colours(degree, starts, ends, colours, spare)
        total = scatter_bits(np.uint64(kinds[node] + 1))
        for at in range(degree):
            total += scatter_bits(colours[at])
        prints[node] = total
    return edges, peaks, prints


@compiled
def describe(
    offsets: Int64, targets: Int32, kinds: Int64, node: int, place: Int32
) -> tuple[Int64, Int32, Int64, UInt64]:
    """The neighbourhood of one node: rows of places, and per place its component and its colour."""
    first = offsets[node]
    degree = offsets[node + 1] - first
    starts, ends = inside(
        offsets, targets, node, place, np.empty(degree + 1, np.int64), np.empty(64, np.int32)
    )
    colours, spare = np.empty(degree, np.uint64), np.empty(degree, np.uint64)
    for at in range(degree):
        colours[at] = scatter_bits(np.uint64(kinds[targets[first + at]] + 1))
    refine_colours(degree, starts, ends, colours, spare)
    component = np.full(degree, -1, np.int64)
    waiting = np.empty(degree, np.int64)
    found = 0
    for root in range(degree):
        if component[root] >= 0:
            continue
        component[root] = found
        waiting[0] = root
        left = 1
        while left:
            left -= 1
            at = waiting[left]
            for edge in range(starts[at], starts[at + 1]):
                if component[ends[edge]] < 0:
                    component[ends[edge]] = found
                    waiting[left] = ends[edge]
                    left += 1
        found += 1
    return starts[: degree + 1], ends[: starts[degree]], component, colours
