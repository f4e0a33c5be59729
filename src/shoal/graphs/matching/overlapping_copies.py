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


def two_copies(
    graph: Graph, overlap: float, chance: np.random.Generator, noise: float = 0.0
) -> tuple[Graph, Graph]:
    """Two networks of the same people, each with some of the edges, as many in both as the overlap says.

    Where each keeps an edge with probability s, both have s² and either s(2 - s) of them: s is chosen so that
    their ratio is the overlap, the measure of Narayanan and Shmatikov (2009). Then a share `noise` of the
    edges of each is replaced by edges between any two people.
    """
    keep = 2 * overlap / (1 + overlap)
    one, other = overlapping_copy(graph, keep, chance), overlapping_copy(graph, keep, chance)
    return perturbed(one, noise, chance), perturbed(other, noise, chance)


def perturbed(graph: Graph, noise: float, chance: np.random.Generator) -> Graph:
    """A copy in which a share of the edges joins any two people instead; a few of these may coincide."""
    if not 0 <= noise <= 1:
        raise BadParameter(f"noise={noise:g} is no share of the edges; give one from 0 to 1")
    ends = graph.edge_list()
    moved = np.flatnonzero(chance.random(len(ends)) < noise)
    sources, targets = ends.sources.copy(), ends.targets.copy()
    sources[moved] = chance.integers(0, graph.nodes, len(moved))
    targets[moved] = chance.integers(0, graph.nodes, len(moved))
    return Graph.of_edges(graph.nodes, sources, targets, labels=graph.labels, directed=graph.directed)
