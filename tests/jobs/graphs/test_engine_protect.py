"""A graph is protected where it is: the same promise as for a file, and nothing half written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx
import numpy as np
import polars as pl
import pytest

from engine_places import Place, place_of
from shoal.core.errors import BadParameter
from shoal.engines.address import address_of
from shoal.engines.sql_engine import connect
from shoal.graphs.formats.edge_columns import from_frame
from shoal.graphs.graph import Graph
from shoal.graphs.in_engine.written_degrees import WrittenDegrees
from shoal.jobs.graphs import engine_protect
from shoal.jobs.graphs.engine_figures import EngineFigures
from shoal.jobs.graphs.measure import measure_graph
from shoal.jobs.graphs.protect import protect_graph
from shoal.jobs.graphs.requests import MeasureGraph, ProtectGraph, VerifyGraph
from shoal.jobs.graphs.verify import verify_graph
from shoal.verbs import BrokenPromise

GRAPHS = Path(__file__).parents[4] / "shared" / "data" / "graphs"


def edges() -> pl.DataFrame:
    """Some people with their friends, a loop, a repeated edge and somebody alone."""
    graph = networkx.barabasi_albert_graph(120, 2, seed=4)
    ends = [(f"n{a}", f"n{b}") for a, b in graph.edges]
    return pl.DataFrame(
        [*ends, ends[0], ("n3", "n3"), ("alone", None)], schema=["source", "target"], orient="row"
    )


def back(url: str) -> pl.DataFrame:
    source = address_of(url)
    assert source is not None
    with connect([source]) as engine:
        from sqlglot import exp

        return engine.frame(exp.select("*").from_(engine.table(source)))


def test_every_engine_keeps_the_promise_and_local_files_agree(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given, target = place.put(edges()), place.new()
    local = protect_graph(ProtectGraph(data=from_frame(edges(), "it"), k=4, seed=1))
    release = protect_graph(ProtectGraph(data=given, output=target, k=4, seed=1))
    level = release.promises[0].level
    assert release.promises[0].holds and level is not None and level >= 4
    assert (release.nodes, release.original_edges) == (local.nodes, local.original_edges)
    assert release.added is not None and local.added is not None and release.added <= 1.1 * local.added + 3
    assert "1 loop (an edge from a node to itself) left out" in release.notes
    written = from_frame(back(target), "it")
    assert (written.nodes, written.edges) == (release.nodes, release.edges)
    assert np.bincount(written.degrees)[written.degrees].min() >= 4
    assert not set(back(target)["source"].cast(pl.String)) & set(edges()["source"])
    verdict = verify_graph(VerifyGraph(data=target))
    assert verdict.holds and not verdict.notes
    figures = measure_graph(MeasureGraph(data=target))
    assert isinstance(figures, EngineFigures)
    told = figures.to_json()
    assert (told["nodes"], told["edges"]) == (release.nodes, release.edges)
    assert told["anonymity"] == {"degree": int(level)}
    with pytest.raises(BadParameter, match="already; choose a new name"):
        protect_graph(ProtectGraph(data=given, output=target, k=4))


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return place_of("folder", request, tmp_path)


def test_all_true_edges_are_in_the_release_where_labels_are_kept(folder: Place) -> None:
    target = folder.new()
    release = protect_graph(ProtectGraph(data=folder.put(edges()), output=target, k=4, labels="keep"))
    rows = set(back(target).drop_nulls().rows())
    true = {(min(a, b), max(a, b)) for a, b in edges().drop_nulls().rows() if a != b}
    assert true <= rows and len(rows) == len(true) + (release.added or 0)


def test_a_release_that_breaks_its_promise_is_withheld_and_nothing_is_left(
    folder: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given, target = folder.put(edges()), folder.new()
    before = sorted(path.name for path in tmp_path.iterdir())

    def planned(*found: Any) -> Any:
        made = PLANNED(*found)
        return type(made)(made.pairs.head(1), made.found, made.rounds, made.nodes)

    monkeypatch.setattr(engine_protect, "planned", planned)
    with pytest.raises(BrokenPromise, match="so it is withheld"):
        protect_graph(ProtectGraph(data=given, output=target, k=4))
    assert sorted(path.name for path in tmp_path.iterdir()) == before


PLANNED = engine_protect.planned


def test_two_releases_number_people_otherwise_and_a_seed_does_alike(folder: Place) -> None:
    given, made = folder.put(edges()), []
    for seed in (None, None, 7, 7):
        target = folder.new()
        protect_graph(ProtectGraph(data=given, output=target, k=3, seed=seed))
        made.append(set(back(target).rows()))
    assert made[0] != made[1] and made[2] == made[3]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"method": "deletion"}, "deletion needs the whole graph here; in an engine edges are added"),
        ({"method": "supergraph(partners=near)"}, "needs the whole graph here"),
        ({"mapping": "who.csv"}, "who is who is not written for a table in an engine"),
        ({"kinds": "who.csv"}, "kinds of nodes are not read in an engine"),
        ({"output": "file.csv"}, "'file.csv' cannot be a file; name a new table"),
        ({"k": 1000}, "k=1000 is larger than the graph"),
    ],
)
def test_what_cannot_be_done_there_is_refused_in_a_sentence(
    asked: dict[str, Any], words: str, folder: Place
) -> None:
    given = {"data": folder.put(edges()), "output": folder.new(), "k": 4, **asked}
    with pytest.raises(BadParameter, match=words):
        protect_graph(ProtectGraph(**given))


def test_a_file_is_not_written_to_an_engine(tmp_path: Path) -> None:
    edges().write_csv(tmp_path / "edges.csv")
    with pytest.raises(BadParameter, match="is no file"):
        protect_graph(ProtectGraph(data=tmp_path / "edges.csv", output=f"{tmp_path}/new/", k=3))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["facebook_combined", "email-Enron"])
def test_a_known_network_takes_no_more_edges_than_locally(name: str, folder: Place) -> None:
    file = GRAPHS / f"{name}.csv"
    if not file.exists():
        pytest.skip(f"no {file.name} here; it is not part of the project")
    from shoal.graphs.formats.files import read_graph

    graph = read_graph(file).graph
    assert isinstance(graph, Graph)
    ends = graph.edge_list()
    given = folder.put(pl.DataFrame({"source": ends.sources, "target": ends.targets}))
    for k in (5, 20):
        local = protect_graph(ProtectGraph(data=graph, k=k, seed=1))
        there = protect_graph(ProtectGraph(data=given, output=folder.new(), k=k, seed=1))
        assert there.promises[0].holds and (there.added or 0) <= 1.02 * (local.added or 0)


def test_a_table_is_counted_by_the_table_alone(folder: Place) -> None:
    source = folder.source(edges())
    with connect([source]) as engine:
        found = WrittenDegrees.of(engine, engine.table(source), ("source", "target"))
    graph = from_frame(edges(), "it")
    assert (found.nodes, found.edges, found.repeated) == (graph.nodes, graph.edges, 2)
