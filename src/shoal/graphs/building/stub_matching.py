"""From target degrees to edges: link who lacks some, exchange where stuck, ask large classes for the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.graphs.graph import Edges, Graph, Int64

_LOOKS = 2_000_000_000  # pairs that exchanges may look at
_ROUNDS = 200


@dataclass(frozen=True)
class Matching:
    """Pairs to link (or edges to drop), the degrees that gives, and how many of them nobody had asked for."""

    pairs: Edges
    targets: Int64
    extra: int  # nodes that moved on by one although their degree was fine


def match(graph: Graph, targets: Int64, k: int, chance: np.random.Generator) -> Matching | None:
    """Pairs that bring every node from its degree to a target degree, all of which occur at least k times.

    Targets are all at least the degrees, or all at most. Where they cannot be met, some nodes of large
    classes get more than their target; what comes back says who. None when that did not help either.
    """
    from shoal.graphs.building import filling
    from shoal.graphs.building import stubs as kernels

    deleting = bool((targets < graph.degrees).any())
    stubs = np.abs(targets - graph.degrees)
    top = int(graph.degrees.max()) if deleting else graph.nodes - 1
    levels = top - targets if deleting else targets.copy()
    wanted = int(stubs.sum())
    rows = graph.offsets, graph.targets
    book = kernels.new_book(graph.nodes, min(4 * wanted + 4 * graph.nodes + 64, 2**31 - 1))
    row = None
    for _ in range(_ROUNDS):
        short = np.flatnonzero(stubs)
        if not len(short):
            break
        order = short[np.lexsort((chance.random(len(short)), -stubs[short]))]
        if not kernels.greedy(order, stubs, *rows, deleting, book):
            return None
        stuck = order[stubs[order] > 0]
        if len(stuck) and not kernels.exchange(stuck, stubs, *rows, deleting, book, _LOOKS):
            return None
        stuck = stuck[stubs[stuck] > 0]
        if not len(stuck):
            break
        if row is None:
            most = min(top, int(levels.max()) + _ROUNDS)  # levels that nobody reaches only cost time
            row = filling.new_row(levels, most, np.uint64(chance.integers(2**63)))
        for node in stuck:
            state = (int(node), k, stubs, levels, row, *rows, deleting, book)
            if not filling.from_large_classes(*state):
                return None
            if stubs[node] > 0 and not filling.from_whole_classes(*state):
                return None
    if stubs.any():
        return None
    one, other, stands, *_, clock = book
    standing = stands[: clock[0]]
    pairs = Edges(one[: clock[0]][standing], other[: clock[0]][standing])
    reached = top - levels if deleting else levels
    return Matching(pairs, reached, int(np.abs(reached - targets).sum()))
