"""The three clustering coefficients."""

from __future__ import annotations

import warnings

import igraph
import numpy as np
import pytest

from shoal.graphs.graph import Graph
from shoal.graphs.measures.clustering import Clustering, Clusterings

from .builders import all_graphs, graph_of, joined_pairs_around, random_graph, skewed_graph


def twin(graph: Graph) -> tuple[float, float, float]:
    """(7.1), (7.2) and (7.3) as they are printed."""
    triangles = [joined_pairs_around(graph, node) for node in range(graph.nodes)]
    pairs = [degree * (degree - 1) / 2 for degree in graph.degrees.tolist()]
    shares = [one / all_ for one, all_ in zip(triangles, pairs, strict=True) if all_]
    cc = sum(shares) / graph.nodes if graph.nodes else 0.0
    return cc, sum(triangles) / sum(pairs) if sum(pairs) else 0.0, sum(shares) / max(1, len(shares))


def values(found: Clusterings) -> tuple[float, float, float]:
    return found.cc.value, found.cc1.value, found.cc2.value


def test_all_three_agree_with_their_definitions_in_all_graphs_of_five() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for graph in all_graphs(5):
            found = Clustering().measure(graph)
            assert values(found) == pytest.approx(twin(graph))
            assert found.exact


@pytest.mark.parametrize("seed", range(3))
def test_igraph_calls_them_by_other_names(seed: int) -> None:
    graph = skewed_graph(80, 300, seed)
    edges = graph.edge_list()
    given = igraph.Graph(n=80, edges=list(zip(edges.sources, edges.targets, strict=True)))
    found = Clustering().measure(graph)
    assert found.cc.value == pytest.approx(given.transitivity_avglocal_undirected(mode="zero"))
    assert found.cc1.value == pytest.approx(given.transitivity_undirected(mode="zero"))
    assert found.cc2.value == pytest.approx(given.transitivity_avglocal_undirected(mode="nan"))


def test_samples_cover_the_truth_about_as_often_as_they_say() -> None:
    graph = random_graph(400, 6000, 3)
    exact = values(Clustering(exact=True).measure(graph))
    covered = np.zeros(3)
    for seed in range(200):
        found = Clustering(sample=500, seed=seed).measure(graph)
        for at, (one, truth) in enumerate(zip((found.cc, found.cc1, found.cc2), exact, strict=True)):
            assert one.low is not None and one.high is not None
            covered[at] += one.low <= truth <= one.high
    # 200 draws at 95 %: fewer than 175 has a chance below 10^-5, and the seeds are fixed.
    assert (covered >= 175).all()


def test_a_seed_repeats_a_sample() -> None:
    graph = random_graph(100, 900, 1)
    assert Clustering(sample=50, seed=7).measure(graph) == Clustering(sample=50, seed=7).measure(graph)
    assert Clustering(sample=50, seed=7).measure(graph) != Clustering(sample=50, seed=8).measure(graph)


def test_a_large_graph_is_sampled_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(400, 6000, 3)
    monkeypatch.setattr("shoal.graphs.measures.clustering.LIMIT", 1000)
    assert not Clustering().measure(graph).exact
    assert Clustering(exact=True).measure(graph).exact


def test_as_many_draws_as_there_are_pairs_is_exact() -> None:
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)])
    assert Clustering(sample=2).measure(path).exact


def test_the_ends_of_a_sample_stay_between_0_and_1() -> None:
    clique = graph_of(5, [(one, other) for one in range(5) for other in range(one)])
    found = Clustering(sample=20, seed=1).measure(clique)
    assert found.cc2.value == found.cc2.high == 1.0
    star = graph_of(9, [(0, other) for other in range(1, 9)])
    assert Clustering(sample=20, seed=1).measure(star).cc1.low == 0.0
