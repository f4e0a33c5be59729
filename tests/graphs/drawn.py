"""Graphs for tests: all small ones, and random ones."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from shoal.graphs.graph import Graph


def graph_of(nodes: int, *pairs: tuple[int, int]) -> Graph:
    """A graph from pairs of nodes."""
    ends = np.array(pairs, np.int32).reshape(-1, 2)
    return Graph.of_edges(nodes, ends[:, 0], ends[:, 1])


@lru_cache
def all_graphs(nodes: int) -> tuple[Graph, ...]:
    """Every graph of so many nodes (at most 7), one of each shape."""
    shapes = [shape for shape in nx.graph_atlas_g() if len(shape) == nodes]
    return tuple(graph_of(nodes, *shape.edges()) for shape in shapes)


def pairs_of(graph: Graph) -> set[tuple[int, int]]:
    """The edges, smaller end first."""
    ends = graph.edge_list()
    return {(int(one), int(other)) for one, other in zip(ends.sources, ends.targets, strict=True)}


def rarest(degrees: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    """How many nodes share the rarest degree: k-degree anonymity counted by hand."""
    return min(Counter(degrees.tolist()).values())


@st.composite
def graphs(draw: st.DrawFn, most: int = 14) -> Graph:
    """A graph of a few nodes, anything between empty and complete."""
    nodes = draw(st.integers(1, most))
    possible = list(combinations(range(nodes), 2))
    chosen = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    return graph_of(nodes, *chosen)


def power_law(nodes: int, edges: int, seed: int) -> Graph:
    """A random graph with a few hubs and many nodes of low degree."""
    chance = np.random.default_rng(seed)
    weights = (np.arange(1, nodes + 1) + 3.0) ** -0.7
    ends = chance.choice(nodes, (edges, 2), p=weights / weights.sum())
    return Graph.of_edges(nodes, ends[:, 0], ends[:, 1])
