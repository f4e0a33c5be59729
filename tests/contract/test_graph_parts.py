"""Every part of the catalog that is about graphs obeys its protocol, on every kind of graph."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

from contract.test_parts import made, named, of_kind
from graphs.drawn import graph_of, power_law
from shoal import catalog, verbs
from shoal.catalog import Part
from shoal.core.errors import BadInput, Unreachable
from shoal.core.outcome import Finding, Outcome
from shoal.graphs.attacker_reasoning.scene import Remade, Scene, Seeds
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.measures.overlap import Versions
from shoal.graphs.model_view import ModelView
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.cure import remade

GRAPHS = {
    "a network": power_law(40, 90, 3),
    "two parts": graph_of(8, (0, 1), (1, 2), (2, 0), (4, 5), (5, 6), (6, 7)),
    "no edges": graph_of(5),
    "one node": graph_of(1),
    "nobody": graph_of(0),
    "everybody knows everybody": graph_of(5, *((a, b) for b in range(5) for a in range(b))),
    "directed": Graph.of_edges(6, [0, 1, 2, 3, 4], [1, 0, 3, 4, 5], directed=True),
}
GROUPS = Grouping(np.array([3, 4]), np.array([0, 0], np.int32), np.array([0, 1], np.int32), np.array([2, 5]))
# Which promise shows that a method works: the one that it is usual for.
PROMISES = {
    part.cls.usual_method: f"{part.name}({part.cls.example})"
    for part in sorted(of_kind("model", "graph"), key=lambda one: -one.cls.rank)
}


def untouched(graph: Graph) -> tuple[bytes, bytes]:
    return graph.offsets.tobytes(), graph.targets.tobytes()


@pytest.mark.parametrize("part", of_kind("model", "graph"), ids=named)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_model_answers_or_refuses_in_a_sentence(part: Part, graph: Graph) -> None:
    model, before = made(part), untouched(graph)
    for released in (graph, GROUPS):
        view = ModelView(released, {"epsilon": 0.25})
        try:
            holds = model.holds(view)
        except BadInput as refused:
            assert "; " in str(refused)
            continue
        assert holds.dtype == np.bool_ and not np.isnan(model.level(view))
    assert untouched(graph) == before


@pytest.mark.parametrize("part", of_kind("method", "graph"), ids=named)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_method_keeps_its_promise_or_says_why_not(part: Part, graph: Graph) -> None:
    before = untouched(graph)
    asked = catalog.make("model", PROMISES.get(part.name, "k-degree(k=2)"))
    try:
        release: GraphRelease = verbs.protect(graph, made(part), [asked], None)
    except (BadInput, Unreachable) as refused:
        assert graph.nodes < 2 or part.name == "naive", refused
        assert "; " in str(refused)
        return
    assert release.promises[0].holds and isinstance(release, Outcome)
    assert json.loads(json.dumps(release.to_json(), allow_nan=False)) == release.to_json()
    assert all(isinstance(cell, str) for rows in release.to_tables().values() for row in rows for cell in row)
    assert untouched(graph) == before
    if release.added is not None and release.removed is not None:
        assert not release.added or part.cls.adds
        assert not release.removed or part.cls.removes
        assert release.nodes == graph.nodes
        assert (
            release.edges == graph.undirected().edges + release.added - release.removed
            or part.name == "naive"
        )


@pytest.mark.parametrize("part", of_kind("method", "graph"), ids=named)
def test_a_method_repeats_with_a_seed_or_takes_none(part: Part) -> None:
    fields = {field.name for field in dataclasses.fields(part.cls)}
    if part.name.startswith("noisy"):
        assert "seed" not in fields, "noise takes no seed"
        return
    models = [] if part.name == "naive" else [catalog.make("model", PROMISES.get(part.name, "k-degree(k=3)"))]
    graph = GRAPHS["a network"]
    one, other = (dataclasses.replace(made(part), seed=5).protect(graph, models, None) for _ in range(2))
    for field in dataclasses.fields(one.graph):
        mine, yours = getattr(one.graph, field.name), getattr(other.graph, field.name)
        assert np.array_equal(mine, yours) if isinstance(mine, np.ndarray) else str(mine) == str(yours)


@pytest.mark.parametrize("part", of_kind("method", "graph"), ids=named)
def test_a_method_refuses_a_promise_that_it_does_not_know(part: Part) -> None:
    stranger = "k-grouping(k=2)" if part.name != "grouping" else "k-degree(k=2)"
    with pytest.raises((BadInput, Unreachable), match=r"\w; \w|\w, \w"):
        made(part).protect(GRAPHS["a network"], [catalog.make("model", stranger)], None)


@pytest.mark.parametrize("part", of_kind("measure", "graph"), ids=named)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_measure_repeats_and_leaves_the_graph_alone(part: Part, graph: Graph) -> None:
    before = untouched(graph)
    subject: Any = graph
    if part.name == "overlap":
        subject = Versions(graph, graph)
    ruler = made(part)
    assert repr(ruler.measure(subject)) == repr(ruler.measure(subject))
    assert untouched(graph) == before


@pytest.mark.parametrize("part", of_kind("mechanism", "graph"), ids=named)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_mechanism_answers_about_every_graph(part: Part, graph: Graph) -> None:
    before = untouched(graph)
    answer = made(part).release(graph)
    assert isinstance(answer, Outcome)
    assert json.loads(json.dumps(answer.to_json(), allow_nan=False)) == answer.to_json()
    assert untouched(graph) == before


def scenes(graph: Graph) -> Iterator[Scene]:
    """A release under new labels with everything that any attack may ask for, and the release alone."""
    release = catalog.make("method", "naive(seed=3)").protect(graph, [])
    mapping = release.mapping.select(pl.all().cast(pl.String))
    places = release.mapping["label"].to_numpy()
    some = np.arange(min(graph.nodes, 5))

    def protect(changed: Graph, seed: int) -> Remade:
        return remade(catalog.make("method", f"naive(seed={seed})").protect(changed, []), seed)

    known: dict[str, Any] = {
        "original": graph,
        "auxiliary": graph,
        "seeds": Seeds(some, places[some]),
        "truth": mapping,
    }
    common: dict[str, Any] = {"adds": False, "removes": False, "protect": protect, "seed": 7}
    yield Scene(release.graph, **known, **common)
    yield Scene(release.graph, **{**known, "truth": None}, **common)


@pytest.mark.parametrize("part", of_kind("attack", "graph"), ids=named)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_an_attack_reports_a_baseline_an_interval_and_a_cure(part: Part, graph: Graph) -> None:
    before = untouched(graph)
    for scene in scenes(graph):
        if any(getattr(scene, need) is None for need in made(part).needs):
            continue  # who attacks is asked for it first
        try:
            finding: Finding = made(part).attack(scene)
        except BadInput as refused:
            assert graph.nodes < 10 and "; " in str(refused)
            continue
        low, high = finding.rate.interval
        assert 0 <= low <= finding.rate.value <= high <= 1 and finding.attack == part.name
        assert 0 <= finding.baseline <= 1 and finding.cure
        assert json.loads(json.dumps(finding.to_json(), allow_nan=False)) == finding.to_json()
        again: Finding = made(part).attack(scene)
        # How long something took is no part of what was found.
        assert replace_details(again) == replace_details(finding)
        assert finding.remedy is None or catalog.make("model", finding.remedy)
        for told in finding.findings:
            assert told["who"] and told["learned"] and 0 <= (told["confidence"] or 0) <= 1  # type: ignore[operator]
            assert scene.truth is not None or "name" not in told["who"]  # type: ignore[operator]
    assert untouched(graph) == before


def replace_details(finding: Finding) -> Finding:
    return dataclasses.replace(
        finding, details={name: value for name, value in finding.details.items() if "seconds" not in name}
    )
