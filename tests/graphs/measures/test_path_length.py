"""Average path lengths."""

from __future__ import annotations

import igraph
import numpy as np
import pytest

from shoal.graphs.graph import Graph
from shoal.graphs.measures.path_length import PathLength

from .builders import all_graphs, graph_of, random_graph, skewed_graph, walked


def test_both_definitions_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        steps = [step for node in range(graph.nodes) for step in walked(graph, node).values() if step]
        pairs = graph.nodes * (graph.nodes - 1)
        found = PathLength().measure(graph)
        assert found.average.value == pytest.approx(sum(steps) / pairs if pairs else 0)
        assert found.reachable.value == pytest.approx(sum(steps) / len(steps) if steps else 0)
        assert found.exact


@pytest.mark.parametrize("seed", range(3))
def test_igraph_finds_the_same_mean_of_reachable_pairs(seed: int) -> None:
    graph = skewed_graph(300, 500, seed)
    edges = graph.edge_list()
    given = igraph.Graph(n=300, edges=list(zip(edges.sources, edges.targets, strict=True)))
    assert PathLength().measure(graph).reachable.value == pytest.approx(given.average_path_length())


def in_pieces() -> Graph:
    """One large piece, a few small ones and many people alone: the worst for a sample of sources."""
    large = random_graph(60, 150, 5).edge_list()
    pairs = [(60 + 2 * at, 61 + 2 * at) for at in range(60)]
    sources = np.concatenate((large.sources, [one for one, _ in pairs]))
    targets = np.concatenate((large.targets, [other for _, other in pairs]))
    return Graph.of_edges(300, sources, targets)


@pytest.mark.parametrize("graph", [random_graph(400, 1400, 1), in_pieces(), skewed_graph(400, 700, 3)])
def test_samples_cover_the_truth_about_as_often_as_they_say(graph: Graph) -> None:
    exact = PathLength(exact=True).measure(graph)
    covered = np.zeros(2)
    for seed in range(200):
        found = PathLength(sample=40, seed=seed).measure(graph)
        for at, (one, truth) in enumerate(
            ((found.average, exact.average), (found.reachable, exact.reachable))
        ):
            assert one.low is not None and one.high is not None
            covered[at] += one.low <= truth.value <= one.high
    assert (covered >= 175).all()


def test_estimates_are_centred_on_the_truth_however_the_graph_falls_apart() -> None:
    graph = in_pieces()
    exact = PathLength(exact=True).measure(graph).reachable.value
    found = [PathLength(sample=20, seed=seed).measure(graph).reachable.value for seed in range(300)]
    assert np.mean(found) == pytest.approx(exact, abs=5 * np.std(found) / 300**0.5)


def test_a_sample_of_everybody_is_exact() -> None:
    graph = random_graph(50, 100, 2)  # one of them has no friends
    assert PathLength(sample=50).measure(graph) == PathLength(exact=True).measure(graph)
    assert PathLength(sample=48, seed=1).measure(graph).exact is False


def test_a_seed_repeats_a_sample() -> None:
    graph = random_graph(300, 900, 1)
    assert PathLength(sample=20, seed=7).measure(graph) == PathLength(sample=20, seed=7).measure(graph)
    assert PathLength(sample=20, seed=7).measure(graph) != PathLength(sample=20, seed=8).measure(graph)


@pytest.mark.parametrize("limit", [100, 60_000])
def test_a_large_graph_is_sampled_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    # 100: too much at first sight. 60,000: only a trial shows that a long way takes many steps.
    graph = graph_of(2000, [(at, at + 1) for at in range(1999)])
    monkeypatch.setattr("shoal.graphs.measures.path_length.LIMIT", limit)
    assert not PathLength().measure(graph).exact
    found = PathLength(exact=True).measure(graph)
    assert found.exact and found.average.value == pytest.approx(2001 / 3)
