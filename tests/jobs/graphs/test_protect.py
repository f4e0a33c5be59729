"""Requests about graphs, carried out in memory."""

import pickle
from pathlib import Path
from typing import Any

import igraph
import networkx
import numpy as np
import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable
from shoal.graphs.graph import Graph
from shoal.graphs.models.k_degree import KDegree
from shoal.jobs.graphs.protect import protect_graph
from shoal.jobs.graphs.requests import ProtectGraph

CHANCE = np.random.default_rng(4)
ENDS = CHANCE.integers(0, 60, (2, 150))
NAMES = pl.Series("label", [f"p{node:02}" for node in CHANCE.permutation(60)])
GRAPH = Graph.of_edges(60, ENDS[0], ENDS[1], labels=NAMES)
STAR = Graph.of_edges(4, [0, 0, 0], [1, 2, 3])


def protected(graph: Any = GRAPH, **given: Any) -> Any:
    return protect_graph(ProtectGraph(data=graph, **given))


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


def attributed() -> Any:
    """A ring of people with something secret about everybody, and about every edge."""
    given = networkx.cycle_graph(12)
    networkx.set_node_attributes(given, "hiv-positive", "diagnosis")
    networkx.set_edge_attributes(given, "at-3-in-the-morning", "called")
    return given


@pytest.mark.parametrize("called", ["g.csv", "g.parquet", "g.graphml", "g.gml", "object", "igraph"])
def test_attributes_are_counted_and_told_and_their_values_stay(tmp_path: Path, called: str) -> None:
    given, place = attributed(), tmp_path / called
    edges = pl.DataFrame(
        [(one, other, "at-3-in-the-morning") for one, other in given.edges],
        schema=["source", "target", "called"],
        orient="row",
    )
    writers: dict[str, Any] = {
        "g.csv": lambda: edges.write_csv(place),
        "g.parquet": lambda: edges.write_parquet(place),
        "g.graphml": lambda: networkx.write_graphml(given, place),
        "g.gml": lambda: networkx.write_gml(given, place),
    }
    if called in writers:
        writers[called]()
    source = {"object": given, "igraph": igraph.Graph.from_networkx(given)}.get(called, place)
    output = tmp_path / "out.graphml"
    release = protected(source, k=2, output=output)
    names = {"called"} if called in ("g.csv", "g.parquet") else {"called", "diagnosis"}
    assert names <= set(release.left_out) == set(release.to_json()["left_out"])
    note = next(note for note in release.notes if "left out" in note)
    assert str(len(release.left_out)) in note and all(name in note for name in release.left_out)
    written = output.read_text("utf-8") + Path(f"{output}.shoal.json").read_text("utf-8")
    for word in (*names, "hiv", "morning"):
        assert word not in written and word.encode() not in pickle.dumps(release)


def test_under_a_promise_of_noise_no_attribute_is_told() -> None:
    private = protected(attributed(), model="edge-differential-privacy(epsilon=1)")
    assert private.left_out == () and not any("left out" in note for note in private.notes)
