"""Scores of link prediction, by hand and by networkx."""

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.drawn import graph_of, graphs, pairs_of, power_law
from shoal.graphs.attacks.link_guessing.scores import Space, area_under_curve, missing_pairs, scores_of
from shoal.graphs.graph import Edges, Graph


@settings(max_examples=40, deadline=None)
@given(graphs(10))
def test_missing_pairs_score_as_networkx_says(graph: Graph) -> None:
    chance = np.random.default_rng(1)
    pairs = missing_pairs(graph, 50, chance)
    twin = nx.Graph(sorted(pairs_of(graph)))
    twin.add_nodes_from(range(graph.nodes))
    ends = list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True))
    assert not set(ends) & pairs_of(graph) and len(set(ends)) == len(ends)
    told = scores_of(graph, pairs, False, Space.of(graph, chance))
    assert np.allclose(told["jaccard"], [p for _, _, p in nx.jaccard_coefficient(twin, ends)])
    assert np.allclose(told["adamic-adar"], [p for _, _, p in nx.adamic_adar_index(twin, ends)])
    assert np.allclose(told["preferential"], [p for _, _, p in nx.preferential_attachment(twin, ends)])


@settings(max_examples=40, deadline=None)
@given(graphs(9))
def test_what_an_edge_adds_to_its_own_score_is_left_out(graph: Graph) -> None:
    chance = np.random.default_rng(1)
    edges, space = graph.edge_list(), Space.of(graph, chance)
    told = scores_of(graph, edges, True, space)
    for at in range(len(edges)):
        one = Edges(edges.sources[at : at + 1], edges.targets[at : at + 1])
        apart = scores_of(graph.with_edges(removed=one), one, False, space)
        for word in ("common-neighbours", "jaccard", "preferential", "adamic-adar"):
            assert np.isclose(told[word][at], apart[word][0]), word


def test_the_strongest_directions_are_those_of_the_matrix() -> None:
    graph = power_law(60, 300, 2)
    matrix = np.array([[graph.has(a, b) for b in range(60)] for a in range(60)], float)
    true = np.linalg.eigvalsh(matrix)
    space = Space.of(graph, np.random.default_rng(1))
    assert np.isclose(space.strengths.max(), true.max(), rtol=1e-3)
    assert np.allclose(space.places.T @ space.places, np.eye(space.places.shape[1]), atol=1e-8)


def test_a_graph_without_edges_has_scores_too() -> None:
    for nodes in (0, 1, 5):
        graph = graph_of(nodes)
        space = Space.of(graph, np.random.default_rng(1))
        pairs = missing_pairs(graph, 4, np.random.default_rng(1))
        assert all(np.isfinite(score).all() for score in scores_of(graph, pairs, False, space).values())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1), st.lists(st.integers(0, 5), min_size=1))
def test_the_area_is_the_share_of_pairs_in_the_right_order(high: list[int], low: list[int]) -> None:
    won = sum((a > b) + (a == b) / 2 for a in high for b in low) / (len(high) * len(low))
    assert np.isclose(area_under_curve(np.array(high, float), np.array(low, float)), won)  # type: ignore[arg-type]


def test_nothing_to_compare_has_no_area() -> None:
    assert area_under_curve(np.empty(0), np.ones(2)) is None
