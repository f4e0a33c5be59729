"""Which neighbourhoods are alike, against NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import all_graphs, graph_of, graphs, pairs_of, power_law
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.neighbourhoods.classes import alike, edges_inside


def plain(graph: Graph) -> Int64:
    return np.zeros(graph.nodes, np.int64)


def twin(graph: Graph, kinds: Int64) -> list[int]:
    """The first node with an isomorphic neighbourhood, for every node."""
    whole = nx.Graph(list(pairs_of(graph)))
    whole.add_nodes_from(range(graph.nodes))
    nx.set_node_attributes(whole, dict(enumerate(kinds.tolist())), "kind")
    around = [whole.subgraph(whole[node]) for node in range(graph.nodes)]

    def same(one: int, other: int) -> bool:
        return bool(kinds[one] == kinds[other]) and nx.is_isomorphic(
            around[one], around[other], node_match=lambda a, b: a["kind"] == b["kind"]
        )

    return [next(one for one in range(node + 1) if same(one, node)) for node in range(graph.nodes)]


def first(classes: Int64) -> list[int]:
    return [classes.tolist().index(one) for one in classes.tolist()]


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5, 6])
def test_all_small_graphs_agree_with_a_search_for_isomorphisms(nodes: int) -> None:
    for graph in all_graphs(nodes):
        assert first(alike(graph, plain(graph))) == twin(graph, plain(graph))


@given(graphs(10), st.integers(1, 3), st.randoms(use_true_random=False))
def test_random_graphs_with_kinds_agree_too(graph: Graph, number: int, chance: object) -> None:
    kinds = np.array([chance.randrange(number) for _ in range(graph.nodes)], np.int64)  # type: ignore[attr-defined]
    assert first(alike(graph, kinds)) == twin(graph, kinds)


def test_a_dense_graph_agrees_too() -> None:
    graph = power_law(40, 300, 5)
    assert first(alike(graph, plain(graph))) == twin(graph, plain(graph))


def test_hubs_around_look_alikes_are_told_apart() -> None:
    # A prism and a K3,3: six vertices of degree 3 each, alike for every refinement.
    prism = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
    thirds = [(one, other) for one in (0, 1, 2) for other in (3, 4, 5)]
    graph = graph_of(
        14,
        *prism,
        *((6, at) for at in range(6)),
        *((one + 7, other + 7) for one, other in thirds),
        *((13, at + 7) for at in range(6)),
    )
    classes = alike(graph, plain(graph))
    assert classes[6] != classes[13]


def test_nobody_is_in_no_class() -> None:
    assert len(alike(graph_of(0), plain(graph_of(0)))) == 0
    assert alike(graph_of(3), plain(graph_of(3))).tolist() == [0, 0, 0]


def test_edges_among_neighbours_are_counted() -> None:
    graph = graph_of(4, (0, 1), (1, 2), (2, 0), (0, 3))
    assert edges_inside(graph).tolist() == [1, 1, 1, 0]
