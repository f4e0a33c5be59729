"""Carry out `verify` for a graph."""

from typing import Any

import pytest

import shoal
from jobs.graphs.test_protect import GRAPH, NAMES, STAR, protected
from shoal.core.errors import BadParameter
from shoal.core.outcome import Outcome
from shoal.graphs.graph import Graph
from shoal.jobs import run
from shoal.jobs.graphs.requests import AskGraph, MeasureGraph, ProtectGraph, VerifyGraph
from shoal.jobs.graphs.verify import verify_graph


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


def test_verify_needs_a_promise() -> None:
    with pytest.raises(BadParameter, match="no promise to verify"):
        verify_graph(VerifyGraph(data=STAR))
    with pytest.raises(BadParameter, match="no promise to verify"):
        verify_graph(VerifyGraph(data=protected(STAR, method="naive")))
    verdict = verify_graph(VerifyGraph(data=STAR, k=2))
    assert not verdict.holds and verdict.promises[0].level == 1
