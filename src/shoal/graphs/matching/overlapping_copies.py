"""Two networks with some of the same people and edges, drawn from one: what an attack can be judged on."""

from __future__ import annotations

import numpy as np

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph


def overlapping_copy(graph: Graph, overlap: float, chance: np.random.Generator) -> Graph:
    """A copy that shares a given part of its edges with the original: of all edges of either, those of both.

    Such a copy has that part of the edges, because the original has all of them.
    """
    if not 0 < overlap <= 1:
        raise BadParameter(f"overlap={overlap:g} is no share of the edges; give one above 0 and up to 1")
    ends = graph.edge_list()
    kept = chance.random(len(ends)) < overlap
    return Graph.of_edges(
        graph.nodes, ends.sources[kept], ends.targets[kept], labels=graph.labels, directed=graph.directed
    )


def two_copies(graph: Graph, overlap: float, chance: np.random.Generator) -> tuple[Graph, Graph]:
    """Two networks of the same people, each with some of the edges, as many in both as the overlap says.

    Where each keeps an edge with probability s, both have s² and either s(2 - s) of them: s is chosen so that
    their ratio is the overlap, the measure of Narayanan and Shmatikov (2009).
    """
    keep = 2 * overlap / (1 + overlap)
    return overlapping_copy(graph, keep, chance), overlapping_copy(graph, keep, chance)
