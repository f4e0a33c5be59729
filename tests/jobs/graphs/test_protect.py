"""Requests about graphs, carried out in memory."""

from typing import Any

import networkx
import numpy as np
import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Outcome
from shoal.graphs.graph import Graph
from shoal.graphs.models.k_degree import KDegree
from shoal.jobs import run
from shoal.jobs.graphs.protect import protect_graph
from shoal.jobs.graphs.requests import AskGraph, MeasureGraph, ProtectGraph, VerifyGraph
from shoal.jobs.graphs.verify import verify_graph

CHANCE = np.random.default_rng(4)
ENDS = CHANCE.integers(0, 60, (2, 150))
NAMES = pl.Series("label", [f"p{node:02}" for node in CHANCE.permutation(60)])
GRAPH = Graph.of_edges(60, ENDS[0], ENDS[1], labels=NAMES)
STAR = Graph.of_edges(4, [0, 0, 0], [1, 2, 3])


def protected(graph: Any = GRAPH, **given: Any) -> Any:
    return protect_graph(ProtectGraph(data=graph, **given))


@pytest.mark.parametrize(
    "job",
    [
        ProtectGraph(data=STAR, method="naive"),
        VerifyGraph(data=STAR, k=1),
        MeasureGraph(data=STAR),
        AskGraph(data=STAR, mechanism="edge-count(epsilon=1)"),
    ],
    ids=lambda job: job.verb,
)
def test_every_request_is_carried_out(job: Any) -> None:
    assert isinstance(run(job), Outcome)


def test_a_release_keeps_its_promise_and_the_original_is_left_alone() -> None:
    before = GRAPH.targets.copy()
    release = protected(k=4, labels="keep", seed=1)
    assert release.promises[0].holds and release.promises[0].level >= 4
    assert verify_graph(VerifyGraph(data=release)).holds and (GRAPH.targets == before).all()
    assert release.graph.names().is_sorted() and set(release.graph.names()) == set(NAMES)
    kept = shoal.measure(release, original=GRAPH).changes
    assert (kept.removed, kept.added) == (release.removed, release.added)


def test_random_labels_stay_with_the_release_for_its_owner() -> None:
    release = protected(k=4, seed=1)
    assert release.mapping.columns == ["original", "label"] and release.mapping.height == 60
    found = shoal.measure(release, original=GRAPH).changes
    assert (found.removed, found.added) == (release.removed, release.added)


def test_several_promises_the_largest_k_wins_and_strangers_are_refused() -> None:
    release = protected(model=["k-degree(k=3)", KDegree(6)], k=2)
    assert [promise.level >= 6 for promise in release.promises] == [True] * 3
    with pytest.raises(BadParameter, match="k-degree"):
        protected(model=["k-degree(k=3)", "k-grouping(k=3)"])


def test_what_was_cleaned_is_told_once() -> None:
    looped = Graph.of_edges(4, [0, 0, 1, 2, 1], [0, 1, 2, 3, 0], directed=True)
    release = protected(looped, k=1, labels="keep")
    assert sum("1 loop" in note for note in release.notes) == 1
    assert sum("direction dropped" in note for note in release.notes) == 1
    grouped = protected(looped, model="k-grouping(k=2)", method="grouping(rounds=0)")
    assert sum("1 loop" in note for note in grouped.notes) == 1


def test_noise_is_promised_by_the_method_and_told_without_exact_figures() -> None:
    looped = Graph.of_edges(30, [0, *range(29)], [0, *range(1, 30)])
    release = protected(looped, model="edge-differential-privacy(epsilon=1)")
    assert (
        not release.paired
        and release.guarantees["epsilon"] == 1
        and release.to_json()["edges_before"] is None
    )
    assert not any("loop" in note for note in release.notes)
    assert verify_graph(VerifyGraph(data=release)).holds
    verdict = verify_graph(VerifyGraph(data=release.graph, model="edge-differential-privacy(epsilon=1)"))
    assert not verdict.holds and verdict.promises[0].holds is None
    assert "nobody can tell" in " ".join(verdict.notes)


def test_what_cannot_be_reached_is_told() -> None:
    with pytest.raises(Unreachable, match="naive gives new labels only"):
        protected(STAR, method="naive", k=2)
    with pytest.raises(BadParameter, match="k=61 is larger than the graph, which has 60 nodes"):
        protected(k=61)


def test_an_object_of_a_library_goes_in_and_comes_out() -> None:
    given = networkx.barabasi_albert_graph(50, 2, seed=1)
    release = shoal.protect(given, k=3, labels="keep")
    found = release.to_networkx()
    assert set(given.edges) <= {tuple(sorted(edge)) for edge in found.edges}
    counts = np.bincount([degree for _, degree in found.degree])
    assert counts[counts > 0].min() >= 3
    assert release.to_igraph().vcount() == 50


def test_verify_needs_a_promise() -> None:
    with pytest.raises(BadParameter, match="no promise to verify"):
        verify_graph(VerifyGraph(data=STAR))
    with pytest.raises(BadParameter, match="no promise to verify"):
        verify_graph(VerifyGraph(data=protected(STAR, method="naive")))
    verdict = verify_graph(VerifyGraph(data=STAR, k=2))
    assert not verdict.holds and verdict.promises[0].level == 1
