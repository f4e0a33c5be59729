"""From a graph to one whose degrees all occur at least k times, by edges of one kind: added, or dropped."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from shoal.core.errors import Unreachable
from shoal.core.outcome import Json
from shoal.graphs.building.bound import edges_needed
from shoal.graphs.building.programme import anonymised
from shoal.graphs.building.stub_matching import match
from shoal.graphs.graph import Edges, Graph, Int64

_SMALL, _MIDDLE = 200, 50_000  # nodes up to which more targets are tried when the first cost more than half
_TRIES, _SOME = 40, 10
_COMPLETE = 3000  # nodes up to which the complete graph is a last resort


@dataclass(frozen=True)
class Reached:
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


def reach(graph: Graph, k: int, change: Literal["raise", "lower"], chance: np.random.Generator) -> Reached:
    """Edges to add (or to drop) until every degree occurs at least k times, of at least k nodes."""
    nearest = _shuffled_targets(graph, graph.degrees, k, change, chance)
    bound, cost = edges_needed(graph, nearest), int(np.abs(nearest - graph.degrees).sum())
    best = match(graph, nearest, k, chance)
    tries, most = 1, _TRIES if graph.nodes <= _SMALL else _SOME if graph.nodes <= _MIDDLE else 1
    # Half of the cost is below every release; the bound only below those with the nearest degrees.
    while tries < _TRIES and (best is None or (tries < most and len(best.pairs) > (cost + 1) // 2)):
        # Other ties, then other targets: a few random degrees moved on, as in the thesis's probing.
        nudges = tries // 4
        targets = _shuffled_targets(graph, _nudged(graph, change, nudges, chance), k, change, chance)
        found = match(graph, targets, k, chance)
        if not nudges:
            bound = min(bound, edges_needed(graph, targets))
        tries += 1
        if found is not None and (best is None or len(found.pairs) < len(best.pairs)):
            best = found
    if best is None:
        return Reached(_everything(graph, k, change), bound, cost, 0, tries, resort=True)
    return Reached(best.pairs, min(bound, len(best.pairs)), cost, best.extra, tries)


def _shuffled_targets(
    graph: Graph, degrees: Int64, k: int, change: Literal["raise", "lower"], chance: np.random.Generator
) -> Int64:
    """The nearest target degrees; who of equal degrees gets the higher one is chance."""
    order = chance.permutation(graph.nodes)
    targets = np.empty(graph.nodes, np.int64)
    targets[order] = anonymised(degrees[order], k, change)
    return targets


def _nudged(
    graph: Graph, change: Literal["raise", "lower"], times: int, chance: np.random.Generator
) -> Int64:
    """Degrees with some random ones moved on by one, as far as they can go."""
    moved = graph.degrees.copy()
    step = 1 if change == "raise" else -1
    for node in chance.integers(0, graph.nodes, times):
        moved[node] = np.clip(moved[node] + step, 0, graph.nodes - 1)
    return moved


def _everything(graph: Graph, k: int, change: Literal["raise", "lower"]) -> Edges:
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
