"""Graphs for the tests of measures, and their plain-Python twins."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from shoal.graphs.graph import Graph

Pair = tuple[int, int]


def graph_of(nodes: int, edges: Sequence[Pair]) -> Graph:
    return Graph.of_edges(nodes, [one for one, _ in edges], [other for _, other in edges])


def all_graphs(most: int) -> Iterator[Graph]:
    """Every graph on up to so many labelled nodes, the empty one too."""
    for nodes in range(most + 1):
        pairs = list(combinations(range(nodes), 2))
        for number in range(2 ** len(pairs)):
            yield graph_of(nodes, [pair for at, pair in enumerate(pairs) if number >> at & 1])


def random_graph(nodes: int, edges: int, seed: int) -> Graph:
    chance = np.random.default_rng(seed)
    return Graph.of_edges(nodes, chance.integers(0, nodes, edges), chance.integers(0, nodes, edges))


def skewed_graph(nodes: int, edges: int, seed: int) -> Graph:
    """A few hubs, many people with few friends, some with none."""
    chance = np.random.default_rng(seed)
    ends = (nodes * chance.random((2, edges)) ** 3).astype(np.int64)
    return Graph.of_edges(nodes, ends[0], ends[1])


def walked(graph: Graph, source: int) -> dict[int, int]:
    """The distance of every node that can be reached, itself included."""
    found, waiting = {source: 0}, deque([source])
    while waiting:
        node = waiting.popleft()
        for other in graph.neighbours(node).tolist():
            if other not in found:
                found[other] = found[node] + 1
                waiting.append(other)
    return found


def joined_pairs_around(graph: Graph, node: int) -> int:
    """How many triangles a node is in."""
    return sum(graph.has(one, other) for one, other in combinations(graph.neighbours(node).tolist(), 2))
