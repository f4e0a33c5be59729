"""The record beside a released graph."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadGraph
from shoal.core.outcome import Promise
from shoal.graphs.graph import Cleaning, Graph
from shoal.graphs.manifest import GraphManifest, beside, is_of_graph, record
from shoal.graphs.release import GraphRelease

HASHES = {"input": "sha256:secret", "output": "sha256:out"}
GRAPH = Graph.of_edges(3, [0, 1], [1, 2], labels=pl.Series("label", ["Ann", "Bob", "Cyd"]))


def release(**more: object) -> GraphRelease:
    made = GraphRelease(GRAPH, 20, "supergraph", 5, 4, 3, **more)  # type: ignore[arg-type]
    return made.promised((Promise("k-degree", 2.0, True, "k-degree(k=2)"),))


def written(made: GraphRelease, tmp_path: Path) -> Path:
    place = tmp_path / "out.csv.shoal.json"
    text = record(made, {"method": "supergraph(tries=2)"}, Cleaning(loops=7, weights=("weight",)), HASHES)
    place.write_text(text, "utf-8")
    return place


def test_the_record_is_read_back(tmp_path: Path) -> None:
    place = written(release(), tmp_path)
    found = GraphManifest.read(place)
    assert found == GraphManifest(("k-degree(k=2)",), "sha256:out", "supergraph", False, {}, "keep")
    assert is_of_graph(place) and place == beside(tmp_path / "out.csv")
    document = json.loads(place.read_text("utf-8"))
    assert document["cleaned"]["loops"] == 7 and document["hashes"] == HASHES
    assert document["edges_before"] == 20
    assert {document[name] for name in ("added", "removed", "bound")} == {None}, "they tell originals apart"
    assert document["settings"]["method"] == "supergraph(tries=2)" and "attack" in document["known_by"]


def test_no_name_and_no_mapping_is_in_it(tmp_path: Path) -> None:
    made = release().relabelled(np.array([2, 0, 1]))
    text = written(made, tmp_path).read_text("utf-8")
    assert not any(name in text for name in ("Ann", "Bob", "Cyd", "mapping", "seed"))
    assert GraphManifest.read(beside(tmp_path / "out.csv")).labels == "random"


def test_where_noise_was_promised_nothing_exact_is_in_it(tmp_path: Path) -> None:
    made = release(guarantees={"epsilon": 1.0}, paired=False)
    document = json.loads(written(made, tmp_path).read_text("utf-8"))
    private = ("edges_before", "added", "removed", "bound", "cleaned")
    assert [document[name] for name in private] == [None] * 5
    assert document["hashes"] == {"input": None, "output": "sha256:out"}
    found = GraphManifest.read(beside(tmp_path / "out.csv"))
    assert found.guarantees == {"epsilon": 1.0} and found.labels is None


def test_a_release_that_was_not_written_has_a_record_too() -> None:
    found = GraphManifest.of(release())
    assert found.models == ("k-degree(k=2)",) and found.output is None and found.labels == "keep"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "no json",
        '{"kind": "table"}',
        '{"kind": "graph", "models": "x", "method": "m", "directed": false, "guarantees": {},'
        ' "hashes": {"output": "x"}, "settings": {"labels": null, "kinds": null}}',
        '{"kind": "graph", "models": [], "method": "m", "directed": false, "guarantees": {},'
        ' "hashes": {"output": 3}, "settings": {"labels": null, "kinds": null}}',
        '{"kind": "graph", "models": [], "method": "m", "directed": false, "guarantees": {"epsilon": "low"},'
        ' "hashes": {"output": "x"}, "settings": {"labels": null, "kinds": null}}',
        '{"kind": "graph", "models": [], "method": "m", "directed": false, "guarantees": {},'
        ' "hashes": {"output": "x"}, "settings": {"labels": "secret", "kinds": null}}',
        '{"kind": "graph", "models": [], "method": "m", "directed": false, "guarantees": {},'
        ' "hashes": {"output": "x"}, "settings": {"labels": null, "kinds": 3}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_record_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    place = tmp_path / "out.csv.shoal.json"
    place.write_text(text, "utf-8")
    with pytest.raises(BadGraph, match=r"is not a manifest of a graph .*delete it"):
        GraphManifest.read(place)


def test_a_file_that_is_not_there_is_no_record(tmp_path: Path) -> None:
    assert not is_of_graph(tmp_path / "nowhere.json")
    (tmp_path / "list.json").write_text("[]", "utf-8")
    assert not is_of_graph(tmp_path / "list.json")


@pytest.mark.parametrize(
    "said",
    [
        {"epsilon": 1.0, "delta": 0.0, "edges": 0},
        {"epsilon": -5.0, "delta": 0.0, "edges": 1},
        {"epsilon": 1.0, "delta": float("nan"), "edges": 1},
        {"node_epsilon": float("inf"), "delta": 0.0, "nodes": 1},
        {"node_epsilon": 1.0, "delta": -1.0, "nodes": 1},
        {"epsilon": 1.0, "delta": 0.0, "edges": -1},
    ],
)
def test_guarantees_that_nobody_can_give_are_refused(said: dict[str, float], tmp_path: Path) -> None:
    place = written(release(), tmp_path)
    document = json.loads(place.read_text("utf-8"))
    place.write_text(json.dumps({**document, "guarantees": said}), "utf-8")
    with pytest.raises(BadGraph, match="is not a manifest of a graph"):
        GraphManifest.read(place)
