"""Whether a call from Python is about a graph."""

from pathlib import Path
from typing import Any

import igraph
import networkx
import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.is_graph_call import about_graph, is_graph
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table

PAIR = Graph.of_edges(2, [0], [1])
FRAME = pl.DataFrame({"a": [1], "b": [2]})


@pytest.mark.parametrize(
    "data",
    [PAIR, GraphRelease(PAIR, 1, "naive"), networkx.Graph([(0, 1)]), networkx.DiGraph(), igraph.Graph()],
    ids=lambda data: type(data).__name__,
)
def test_an_object_that_is_a_graph_is_one_whatever_is_said(data: Any) -> None:
    assert is_graph(data) and about_graph(data, {"model": "k-anonymity(k=2)"})


def test_a_subclass_of_a_library_is_a_graph_too() -> None:
    class Mine(networkx.MultiGraph):  # type: ignore[misc]
        pass

    assert is_graph(Mine())


@pytest.mark.parametrize("data", [FRAME, Table(FRAME), "a.csv", Path("a.csv"), "-", None, 3])
def test_all_else_is_a_table_until_told(data: Any) -> None:
    assert not is_graph(data)
    assert not about_graph(data, {}) and not about_graph(data, {"k": 3, "model": (), "method": None})


@pytest.mark.parametrize(
    ("options", "graph"),
    [
        ({"model": "k-degree(k=2)"}, True),
        ({"model": ["k-degree(k=2)"]}, True),
        ({"model": KDegree(2)}, True),
        ({"model": KAnonymity(2)}, False),
        ({"model": "k-anonymity(k=2)"}, False),
        ({"method": "naive"}, True),
        ({"method": "mondrian"}, False),
        ({"method": None, "labels": None}, False),
        ({"labels": "keep"}, True),
        ({"directed": False}, True),
        ({"sample": 3}, True),
        ({"chart": "degrees.svg"}, True),
    ],
)
def test_words_and_promises_tell_what_a_path_is(options: dict[str, Any], graph: bool) -> None:
    assert about_graph("edges.csv", options) is graph


def test_the_extension_or_the_manifest_tells_what_a_path_is(tmp_path: Path) -> None:
    assert about_graph("net.graphml", {}) and about_graph("net.GML", {})
    (tmp_path / "out.csv.shoal.json").write_text('{"kind": "graph"}', "utf-8")
    assert about_graph(tmp_path / "out.csv", {})
    (tmp_path / "out.csv.shoal.json").write_text('{"kind": "table"}', "utf-8")
    assert not about_graph(tmp_path / "out.csv", {})


def test_a_misspelled_model_is_told_at_once() -> None:
    with pytest.raises(BadParameter, match="no model 'k-degre'"):
        about_graph("edges.csv", {"model": "k-degre(k=2)"})
