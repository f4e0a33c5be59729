"""All small graphs, and degrees that a graph should have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from graphs.drawn import graph_of, pairs_of
from shoal.graphs.graph import Graph, Int64

Pair = tuple[int, int]
__all__ = ["Pair", "drawn_graph", "graphs", "labelled", "numbers", "of_pairs", "pairs_of", "unlabelled"]


def labelled(most: int) -> Iterator[Graph]:
    """Every graph of 1 to so many nodes."""
    for nodes in range(1, most + 1):
        pairs = list(combinations(range(nodes), 2))
        for chosen in range(2 ** len(pairs)):
            yield of_pairs(nodes, [pair for at, pair in enumerate(pairs) if chosen >> at & 1])


def unlabelled(most: int) -> Iterator[Graph]:
    """Every graph of 1 to so many (up to 7) nodes, one of each shape, with its nodes shuffled."""
    from networkx.generators.atlas import graph_atlas_g

    chance = np.random.default_rng(1)
    for shape in graph_atlas_g()[1:]:
        nodes = shape.number_of_nodes()
        if nodes > most:
            return
        to = chance.permutation(nodes)
        yield of_pairs(nodes, [(int(to[one]), int(to[other])) for one, other in shape.edges()])


def of_pairs(nodes: int, pairs: list[Pair]) -> Graph:
    return graph_of(nodes, *pairs)


def numbers(*values: int) -> Int64:
    return np.array(values, np.int64)


def drawn_graph(nodes: int, edges: int, seed: int) -> Graph:
    """A graph with hubs."""
    chance = np.random.default_rng(seed)
    weights = 1 / (np.arange(nodes) + 2.0)
    ends = chance.choice(nodes, (2, edges), p=weights / weights.sum())
    return Graph.of_edges(nodes, ends[0], ends[1])


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    nodes = draw(st.integers(2, 40))
    edges = draw(st.integers(0, nodes * 3))
    return drawn_graph(nodes, edges, draw(st.integers(0, 10**6)))
