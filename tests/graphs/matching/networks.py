"""Small networks in which people can be told apart, and second networks with some of the same edges."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int64
from shoal.graphs.matching.overlapping_copies import two_copies


def circles(nodes: int = 400, friends: int = 14, seed: int = 1, *, directed: bool = False) -> Graph:
    """People on a ring who know their neighbours and some others: no two are in the same place."""
    chance = np.random.default_rng(seed)
    ones = np.repeat(np.arange(nodes), friends // 2)
    steps = np.where(chance.random(len(ones)) < 0.5, chance.integers(1, friends, len(ones)), 0)
    others = np.where(steps > 0, (ones + steps) % nodes, chance.integers(0, nodes, len(ones)))
    return Graph.of_edges(nodes, ones, others, directed=directed)


def hidden_pair(graph: Graph, overlap: float, seed: int = 2) -> tuple[Graph, Graph, Int64]:
    """Two overlapping copies, the second under new numbers; and who is who."""
    chance = np.random.default_rng(seed)
    one, other = two_copies(graph, overlap, chance)
    places = chance.permutation(graph.nodes)
    return one, other.moved(places), places


def known(places: Int64, number: int, seed: int = 3) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """So many people whom an attacker knows."""
    found = np.full(len(places), -1, np.int32)
    people = np.random.default_rng(seed).choice(len(places), number, replace=False)
    found[people] = places[people]
    return found
