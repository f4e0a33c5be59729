"""From a graph to one whose degrees all occur at least k times, by edges of one kind: added, or dropped."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from shoal.core.errors import Unreachable
from shoal.core.outcome import Json
from shoal.graphs.building.edge_bound import edges_needed
from shoal.graphs.building.target_degrees import anonymous_degrees
from shoal.graphs.graph import Edges, Graph, Int64

_SMALL, _MIDDLE = 200, 50_000  # nodes up to which more targets are tried when the first cost more than half
_TRIES, _SOME = 40, 10
_COMPLETE = 3000  # nodes up to which the complete graph is a last resort


@dataclass(frozen=True)
class AnonymousDegrees:
    """The edges to add or drop, and what is known about how few they could be."""

    pairs: Edges
    bound: int  # none of the nearest target degrees that were tried takes fewer
    cost: int  # how far the nearest target degrees are away, in L1
    extra: int  # nodes that were moved on although their degree was fine
    tries: int
    resort: bool = False  # nothing but the complete (or the empty) graph was found

    @property
    def details(self) -> dict[str, Json]:
        """Figures for the person who asked."""
        return {"least_degree_change": self.cost, "partners_asked": self.extra}


def reach(
    graph: Graph, k: int, change: Literal["raise", "lower"], chance: np.random.Generator
) -> AnonymousDegrees:
    """Edges to add (or to drop) until every degree occurs at least k times, of at least k nodes."""
    nearest = _shuffled_targets(graph, graph.degrees, k, change, chance)
    bound, cost = edges_needed(graph, nearest), int(np.abs(nearest - graph.degrees).sum())
    best = match(graph, nearest, k, chance)
    tries, most = 1, _TRIES if graph.nodes <= _SMALL else _SOME if graph.nodes <= _MIDDLE else 1
    # Half of the cost is below every release; the bound only below those with the nearest degrees.
    while tries < _TRIES and (best is None or (tries < most and len(best.pairs) > (cost + 1) // 2)):
        # Other ties, then other targets: a few random degrees moved on, as in the thesis's probing.
        nudges = tries // 4
        targets = _shuffled_targets(graph, _nudge(graph, change, nudges, chance), k, change, chance)
        found = match(graph, targets, k, chance)
        if not nudges:
            bound = min(bound, edges_needed(graph, targets))
        tries += 1
        if found is not None and (best is None or len(found.pairs) < len(best.pairs)):
            best = found
    if best is None:
        return AnonymousDegrees(_all_edges(graph, k, change), bound, cost, 0, tries, resort=True)
    return AnonymousDegrees(best.pairs, min(bound, len(best.pairs)), cost, best.extra, tries)


def _shuffled_targets(
    graph: Graph, degrees: Int64, k: int, change: Literal["raise", "lower"], chance: np.random.Generator
) -> Int64:
    """The nearest target degrees; who of equal degrees gets the higher one is chance."""
    order = chance.permutation(graph.nodes)
    targets = np.empty(graph.nodes, np.int64)
    targets[order] = anonymous_degrees(degrees[order], k, change)
    return targets


def _nudge(graph: Graph, change: Literal["raise", "lower"], times: int, chance: np.random.Generator) -> Int64:
    """Degrees with some random ones moved on by one, as far as they can go."""
    moved = graph.degrees.copy()
    step = 1 if change == "raise" else -1
    for node in chance.integers(0, graph.nodes, times):
        moved[node] = np.clip(moved[node] + step, 0, graph.highest_degree)
    return moved


def _all_edges(graph: Graph, k: int, change: Literal["raise", "lower"]) -> Edges:
    """Every edge that is not there, or every edge that is: all degrees are equal then."""
    if change == "lower":
        return graph.edge_list()
    if graph.nodes > _COMPLETE:
        raise Unreachable(
            f"no way was found to give every degree of this graph {k} nodes by adding edges alone; "
            "try another seed, a smaller k, or method simultaneous"
        )
    missing = [pair for pair in combinations(range(graph.nodes), 2) if not graph.has(*pair)]
    ends = np.array(missing, np.int32).reshape(-1, 2)
    return Edges(ends[:, 0], ends[:, 1])


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
    from shoal.graphs.building import stub_filling_kernels
    from shoal.graphs.building import stub_matching_kernels as kernels

    deleting = bool((targets < graph.degrees).any())
    stubs = np.abs(targets - graph.degrees)
    top = int(graph.degrees.max()) if deleting else graph.highest_degree
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
            row = stub_filling_kernels.new_row(levels, most, np.uint64(chance.integers(2**63)))
        for node in stuck:
            state = (int(node), k, stubs, levels, row, *rows, deleting, book)
            if not stub_filling_kernels.from_large_classes(*state):
                return None
            if stubs[node] > 0 and not stub_filling_kernels.from_whole_classes(*state):
                return None
    if stubs.any():
        return None
    one, other, stands, *_, clock = book
    standing = stands[: clock[0]]
    pairs = Edges(one[: clock[0]][standing], other[: clock[0]][standing])
    reached = top - levels if deleting else levels
    return Matching(pairs, reached, int(np.abs(reached - targets).sum()))
