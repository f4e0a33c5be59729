"""Every graph of a few nodes, and its neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.graph import Graph

Pairs = list[tuple[int, int]]


def pairs_of(nodes: int) -> Pairs:
    """All pairs of nodes; bit i of a number says whether pair i is an edge."""
    return list(combinations(range(nodes), 2))


def graph_of(nodes: int, bits: int) -> Graph:
    """The graph behind a number."""
    ends = [pair for place, pair in enumerate(pairs_of(nodes)) if bits >> place & 1]
    return Graph.of_edges(nodes, [one for one, _ in ends], [other for _, other in ends])


def every_graph(nodes: int) -> list[Graph]:
    """All labelled graphs, in the order of their numbers."""
    return [graph_of(nodes, bits) for bits in range(1 << len(pairs_of(nodes)))]


def matrices(nodes: int) -> NDArray[np.int64]:
    """All of them as matrices."""
    pairs = pairs_of(nodes)
    found = np.zeros((1 << len(pairs), nodes, nodes), np.int64)
    numbers = np.arange(len(found))
    for place, (one, other) in enumerate(pairs):
        found[:, one, other] = found[:, other, one] = numbers >> place & 1
    return found


def edge_neighbours(nodes: int) -> Iterator[tuple[int, int]]:
    """Numbers of graphs that differ in one edge, each pair once."""
    for place in range(len(pairs_of(nodes))):
        for bits in range(1 << len(pairs_of(nodes))):
            if not bits >> place & 1:
                yield bits, bits | 1 << place


def without(nodes: int, person: int) -> int:
    """The edges that are left when a person goes, as a mask. The person stays, without edges."""
    return sum(1 << place for place, pair in enumerate(pairs_of(nodes)) if person not in pair)


def graph_of_matrix(matrix: NDArray[np.integer]) -> Graph:
    """The graph of a matrix."""
    one, other = np.nonzero(np.triu(matrix))
    return Graph.of_edges(len(matrix), one, other)
