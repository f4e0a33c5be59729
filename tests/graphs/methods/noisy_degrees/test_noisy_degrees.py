"""Synthetic graphs from noisy degrees: what is kept, what is promised, what is refused."""

import dataclasses
import json
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.mechanisms.small import matrices
from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.graphs.answering.degree_truncation import truncated_degrees
from shoal.graphs.graph import Cleaning, Graph
from shoal.graphs.methods.noisy_degrees import noisy_degrees
from shoal.graphs.methods.noisy_degrees.noisy_degrees import (
    NoisyDegrees,
    level_highest,
    make_realisable,
    random_graph,
)
from shoal.graphs.models.edge_differential_privacy import EdgeDifferentialPrivacy
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.node_differential_privacy import NodeDifferentialPrivacy
from shoal.graphs.release import GraphRelease

ONE = Fraction(1)


def power_law(nodes: int) -> Graph:
    chance = np.random.default_rng(3)
    ends = np.repeat(np.arange(nodes), np.minimum(chance.zipf(2.2, nodes), nodes // 10))
    chance.shuffle(ends)
    half = len(ends) // 2
    labels = pl.Series([f"person {node}" for node in range(nodes)])
    return Graph.of_edges(nodes, ends[:half], ends[half : 2 * half], labels=labels)


def graph_of(release: GraphRelease) -> Graph:
    assert isinstance(release.graph, Graph)
    return release.graph


def test_degrees_are_about_kept_and_nothing_else() -> None:
    graph = power_law(20_000)
    release = verbs.protect(graph, NoisyDegrees(), [EdgeDifferentialPrivacy(ONE)], None)
    made = graph_of(release)
    assert made.nodes == graph.nodes and made.edges == pytest.approx(graph.edges, rel=0.02)
    away = np.abs(np.sort(made.degrees) - np.sort(graph.degrees)).mean()
    assert away < 0.1
    assert made.labels is None and made.kinds is None and made.cleaned == Cleaning()
    assert release.promises[0].holds and release.promises[0].level == 1
    assert not release.paired and release.added is None and release.original_edges is None


def test_what_goes_out_says_nothing_exact_of_the_original() -> None:
    graph = power_law(500)
    release = NoisyDegrees(ONE).protect(graph, [])
    document = release.to_json()
    assert document["edges_before"] is None and document["added"] is None
    assert "before" not in json.dumps(release.to_tables())
    assert document["guarantees"] == {"epsilon": 1, "delta": 0, "edges": 1}
    assert any(note.startswith("public: the number of nodes, as in the graph") for note in release.notes)
    assert "public: nodes=600, as declared" in NoisyDegrees(ONE, nodes=600).protect(graph, []).notes
    hidden = NoisyDegrees(ONE, neighbours="node", bound=5).protect(graph, [])
    assert not any("public" in note for note in hidden.notes)


def test_people_are_hidden_with_a_bound() -> None:
    graph = power_law(20_000)
    method = NoisyDegrees(neighbours="node", bound=30)
    release = verbs.protect(graph, method, [NodeDifferentialPrivacy(ONE)], None)
    made = graph_of(release)
    # Whose only edge goes to somebody with many may lose it, and is then not counted.
    with_edges = int((truncated_degrees(graph, 30) > 0).sum())
    assert abs(made.nodes - with_edges) < with_edges / 10
    # Only the draw for given degrees comes after, so nobody has more than the bound.
    assert made.degrees.max() <= 30
    assert release.guarantees == {"node_epsilon": 1, "delta": 0, "nodes": 1}
    weaker = verbs.protect(graph, method, [EdgeDifferentialPrivacy(ONE, 2)], None)
    assert weaker.guarantees["node_epsilon"] == 0.25 and weaker.promises[0].level == 1


def test_the_strictest_model_decides_and_k_is_its_own() -> None:
    graph = power_law(200)
    models = [EdgeDifferentialPrivacy(ONE, 1), EdgeDifferentialPrivacy(ONE * 2, 5)]
    release = verbs.protect(graph, NoisyDegrees(), models, None)
    assert release.guarantees == {"epsilon": 2, "delta": 0, "edges": 5}
    assert [promise.level for promise in release.promises] == [pytest.approx(0.4), 2]


def test_the_method_may_hide_more_than_the_model_asks_for() -> None:
    graph = power_law(100)
    edges = NoisyDegrees(k=5).protect(graph, [EdgeDifferentialPrivacy(ONE, 2)])
    assert edges.guarantees == {"epsilon": 1, "delta": 0, "edges": 5} and edges.details["noise_scale"] == 10
    people = NoisyDegrees(k=4, neighbours="node", bound=3)
    assert people.protect(graph, [NodeDifferentialPrivacy(ONE)]).details["noise_scale"] == 24
    both = people.protect(graph, [NodeDifferentialPrivacy(ONE), EdgeDifferentialPrivacy(ONE)])
    assert both.guarantees == {"node_epsilon": 0.5, "delta": 0, "nodes": 4}


def test_too_much_is_refused_before_any_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NoisyDegrees, "_noisy", lambda *_: pytest.fail("noise was drawn"))
    with pytest.raises(Unreachable, match=r"offers 2 of edge-differential-privacy\(epsilon=1\); lower its"):
        NoisyDegrees(ONE * 2).protect(power_law(50), [EdgeDifferentialPrivacy(ONE)])
    with pytest.raises(BadParameter, match=r"not k-degree\(k=3\); use another method"):
        NoisyDegrees(ONE).protect(power_law(50), [KDegree(3)])
    with pytest.raises(BadParameter, match=r"write noisy-degrees\(neighbours=node,bound=50\)"):
        NoisyDegrees(ONE).protect(power_law(50), [NodeDifferentialPrivacy(ONE)])
    with pytest.raises(BadParameter, match="needs an epsilon"):
        NoisyDegrees().protect(power_law(50), [])


def test_parameters_that_make_no_sense_are_refused_at_once() -> None:
    for bad, match in (
        ({"epsilon": 0}, "epsilon above 0"),
        ({"k": 0}, "k as a whole number"),
        ({"bound": 5}, "is for neighbours=node"),
        ({"neighbours": "node"}, "needs a bound"),
        ({"neighbours": "row"}, "neighbours=edge and neighbours=node"),
        ({"neighbours": "node", "bound": 3, "nodes": 9}, "says nothing"),
    ):
        with pytest.raises(BadParameter, match=match):
            NoisyDegrees(**bad)
    assert "seed" not in {field.name for field in dataclasses.fields(NoisyDegrees)}


@pytest.mark.parametrize("nodes", [0, 1, 2, 3])
def test_tiny_graphs_are_no_trouble(nodes: int) -> None:
    graph = Graph.of_edges(nodes, [0] if nodes > 1 else [], [1] if nodes > 1 else [])
    assert NoisyDegrees(ONE).protect(graph, []).nodes == nodes
    assert NoisyDegrees(ONE, nodes=7).protect(graph, []).nodes == 7
    assert NoisyDegrees(ONE, neighbours="node", bound=2).protect(graph, []).edges >= 0
    directed = Graph.of_edges(nodes, graph.edge_list().sources, graph.edge_list().targets, directed=True)
    assert not graph_of(NoisyDegrees(ONE).protect(directed, [])).directed


def test_a_graph_that_is_all_noise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreachable, match="people, so nothing is left of the graph; raise epsilon, or lower"):
        for _ in range(100):  # noise may fall below 0, where nobody is left
            NoisyDegrees(Fraction(1, 10**12), neighbours="node", bound=2).protect(power_law(50), [])
    monkeypatch.setattr(noisy_degrees, "MOST_EDGES", 10)
    with pytest.raises(Unreachable, match="edges, so nothing is left"):
        NoisyDegrees(Fraction(1000)).protect(power_law(100), [])


def test_two_releases_differ() -> None:
    graph = power_law(300)
    one, other = (graph_of(NoisyDegrees(ONE).protect(graph, [])) for _ in range(2))
    assert one.targets.tolist() != other.targets.tolist()


@pytest.mark.parametrize("nodes", [0, 1, 2, 3, 4, 5])
def test_every_small_sequence_becomes_that_of_a_graph_and_those_of_graphs_stay(nodes: int) -> None:
    real = {tuple(sorted(row)) for row in matrices(nodes).sum(axis=2).tolist()} if nodes else {()}
    for wanted in product(range(-1, nodes + 1), repeat=nodes):
        found = make_realisable(np.array(wanted, np.int64))
        assert tuple(sorted(found.tolist())) in real
        if tuple(sorted(wanted)) in real:
            assert found.tolist() == list(wanted)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=20), st.data())
def test_levelling_takes_exactly_so_much_from_the_highest(degrees: list[int], data: st.DataObject) -> None:
    before = np.array(degrees)
    less = data.draw(st.integers(0, sum(degrees)))
    after = level_highest(before, less)
    assert (before - after).sum() == less and (after <= before).all() and after.min() >= 0
    changed = before > after
    if changed.any():
        assert after[changed].max() - after[changed].min() <= 1
        assert before[~changed].max(initial=0) <= after[changed].max() + 1


def test_input_is_left_alone() -> None:
    wanted = np.array([5, 5, 0, 0, 0, 0])
    assert make_realisable(wanted).sum() % 2 == 0
    assert wanted.tolist() == [5, 5, 0, 0, 0, 0]


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5])
def test_every_sequence_of_a_graph_is_drawn_to_the_digit(nodes: int) -> None:
    chance = np.random.default_rng(1)
    for wanted in np.unique(matrices(nodes).sum(axis=2), axis=0):
        graph = random_graph(wanted, chance)
        assert graph.degrees.tolist() == wanted.tolist() and graph.cleaned.loops == 0


@pytest.mark.parametrize("seed", range(5))
def test_large_ones_too(seed: int) -> None:
    chance = np.random.default_rng(seed)
    wanted = make_realisable(np.minimum(chance.zipf(1.6 + seed / 5, 3000), 2000))
    graph = random_graph(wanted, chance)
    assert graph.degrees.tolist() == wanted.tolist()
    assert (graph.cleaned.loops, graph.cleaned.duplicates) == (0, 0)


def test_exchanges_forget_how_the_graph_was_built() -> None:
    # Five people with two edges each: twelve rings, each about as likely.
    chance = np.random.default_rng(4)
    seen = Counter(tuple(random_graph(np.full(5, 2), chance).targets.tolist()) for _ in range(2400))
    assert len(seen) == 12 and min(seen.values()) > 120 and max(seen.values()) < 300


def test_nobody_makes_an_empty_graph() -> None:
    for nodes in (0, 3):
        graph = random_graph(np.zeros(nodes, np.int64), np.random.default_rng(0))
        assert (graph.nodes, graph.edges) == (nodes, 0)
