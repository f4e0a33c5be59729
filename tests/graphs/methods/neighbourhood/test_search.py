"""Both ways, and the better one."""

from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphs.drawn import graph_of, power_law
from shoal.graphs.graph import Graph
from shoal.graphs.methods.neighbourhood.search import SearchResult, search
from shoal.graphs.neighbourhoods.classes import alike


def found(graph: Graph, k: int, way: Any = "auto") -> SearchResult:
    result = search(graph, k, np.zeros(graph.nodes, np.int64), way, lambda _: None)
    made = graph.with_edges(result.added)
    assert np.bincount(alike(made, np.zeros(graph.nodes, np.int64))).min() >= k
    assert made.edges - graph.edges == len(result.added)
    return result


@pytest.mark.parametrize("graph", [power_law(150, 200, 1), power_law(60, 300, 2)], ids=["sparse", "dense"])
def test_auto_is_no_worse_than_twins(graph: Graph) -> None:
    assert len(found(graph, 3).added) <= len(found(graph, 3, "twins").added)


def test_a_sparse_graph_goes_by_levels_and_a_dense_one_by_twins() -> None:
    assert found(power_law(400, 400, 1), 3).way == "levels"
    caves = nx.relaxed_caveman_graph(10, 8, 0.2, seed=1)
    assert found(graph_of(80, *caves.edges()), 4).way == "twins"


def test_what_levels_leave_is_put_right_by_twins() -> None:
    pairs = [(one, other) for other in range(6) for one in range(other)]
    result = found(graph_of(6, *pairs[1:]), 4, "levels")
    assert result.way == "levels" and result.twins >= 4


def test_a_graph_that_is_safe_stays_as_it_is() -> None:
    graph = graph_of(4, (0, 1), (2, 3))
    result = found(graph, 4)
    assert (len(result.added), result.way, result.unsafe) == (0, "nothing to do", 0)


def test_nodes_without_edges_are_put_right_too() -> None:
    assert len(found(graph_of(5, (0, 1), (1, 2)), 2).added) <= 8


def test_kinds_go_by_twins_only() -> None:
    graph = power_law(40, 50, 3)
    kinds = np.arange(40, dtype=np.int64) % 2
    result = search(graph, 3, kinds, "auto", lambda _: None)
    assert result.way == "twins" and np.bincount(alike(graph.with_edges(result.added), kinds)).min() >= 3
