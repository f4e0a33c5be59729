"""Nodes and edges with attributes."""

from __future__ import annotations

import pytest

from graphs.formats.shown import edges_of
from shoal.core.errors import BadGraph
from shoal.graphs.formats.markup import MarkupGraph
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping


def triangle(**attributes: list[str]) -> MarkupGraph:
    marked = MarkupGraph("'x'")
    marked.add_edge("n2", "n0")  # ends may follow later
    for at in range(3):
        marked.add_node(f"n{at}")
    marked.add_edge("n0", "n1")
    marked.nodes = {name: dict(enumerate(values)) for name, values in attributes.items()}
    return marked


def graph_of(marked: MarkupGraph, kinds: str | None = None, directed: bool | None = None) -> Graph:
    found = marked.subject(directed, kinds)
    assert isinstance(found, Graph)
    return found


@pytest.mark.parametrize(
    ("attributes", "names"),
    [
        ({}, ["n0", "n1", "n2"]),
        ({"label": ["c", "b", "a"]}, ["a", "b", "c"]),
        ({"Label": ["c", "b", "a"], "name": ["x", "y", "z"]}, ["a", "b", "c"]),
        ({"label": ["p", "p", "p"], "name": ["3", "10", "2"]}, [2, 3, 10]),
        ({"label": ["p", "q"]}, ["n0", "n1", "n2"]),
        ({"label": ["p", "q", ""]}, ["n0", "n1", "n2"]),
    ],
)
def test_nodes_are_called_by_label_name_or_id(attributes: dict[str, list[str]], names: list[object]) -> None:
    assert graph_of(triangle(**attributes)).names().to_list() == names


def test_edges_and_kinds_follow_their_nodes_into_the_order_of_labels() -> None:
    graph = graph_of(triangle(label=["c", "b", "a"], job=["x", "y", "z"], age=["1", "2", "3"]), kinds="job")
    assert edges_of(graph) == [("a", "c"), ("b", "c")]
    assert graph.kinds is not None and graph.kinds.to_list() == ["z", "y", "x"]
    assert graph.cleaned.weights == ("age",)


def test_sizes_and_edges_make_a_grouping() -> None:
    marked = triangle(size=["2", "3.0", "1"])
    marked.edges = {"edges": {0: "1", 1: "6"}}
    found = marked.subject(None, None)
    assert isinstance(found, Grouping) and found.sizes.tolist() == [2, 3, 1]
    assert found.weights.tolist() == [6, 1]
    assert isinstance(triangle(size=["2", "3", "1"]).subject(None, None), Graph)


@pytest.mark.parametrize("value", ["x", "1.5", "inf", "nan"])
def test_a_size_that_is_no_number_is_refused(value: str) -> None:
    marked = triangle(size=["2", value, "1"])
    marked.edges = {"edges": {0: "1", 1: "6"}}
    with pytest.raises(BadGraph, match="give whole numbers"):
        marked.subject(None, None)


def test_contradictions_are_refused() -> None:
    with pytest.raises(BadGraph, match="no nodes"):
        MarkupGraph("'x'").close()
    with pytest.raises(BadGraph, match="two nodes with id 'n1'"):
        triangle().add_node("n1")
    with pytest.raises(BadGraph, match="without an id"):
        triangle().add_node("")
    with pytest.raises(BadGraph, match="no direction"):
        triangle().subject(True, None)
    with pytest.raises(BadGraph, match="has attribute 'job'; there are age"):
        triangle(age=["1", "2", "3"]).subject(None, "job")
    with pytest.raises(BadGraph, match="node 'n2' of 'x' has no 'job'"):
        triangle(job=["1", "2"]).subject(None, "job")
    marked = triangle()
    marked.add_edge("n0", "zz")
    with pytest.raises(BadGraph, match="node 'zz', which is not there"):
        marked.close()


def test_direction_may_be_dropped() -> None:
    marked = triangle()
    marked.directed = True
    marked.add_edge("n0", "n2")
    graph = graph_of(marked, directed=False)
    assert not graph.directed and graph.cleaned.merged == 1
