"""The density."""

from __future__ import annotations

import pytest

from shoal.graphs.graph import Graph
from shoal.graphs.measures.density import Density

from .builders import all_graphs, graph_of


def test_density_is_edges_over_pairs_in_all_graphs_of_four() -> None:
    for graph in all_graphs(4):
        pairs = graph.nodes * (graph.nodes - 1) / 2
        assert Density().measure(graph) == (graph.edges / pairs if pairs else 0)


def test_a_clique_is_dense_and_a_crowd_of_strangers_is_not() -> None:
    assert Density().measure(graph_of(3, [(0, 1), (1, 2), (0, 2)])) == 1
    assert Density().measure(graph_of(3, [])) == 0


def test_direction_is_left_aside() -> None:
    graph = Graph.of_edges(3, [0, 1], [1, 0], directed=True)
    assert Density().measure(graph) == pytest.approx(1 / 3)
