"""Graphs from objects of other libraries, and back."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import igraph
import networkx
import numpy as np
import polars as pl
import pyarrow
import pytest
import scipy.sparse

from graphs.formats.shown import edges_of, lone_of, same
from patience import LONG
from shoal.core.errors import BadGraph
from shoal.graphs.formats.objects import graph_of, to_igraph, to_networkx
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

KINDS = pl.Series(["x", "y", "x"])
NAMED = Graph.of_edges(3, [0], [1], labels=pl.Series(["a", "b", "c"]), kinds=KINDS)
GROUPS = Grouping(
    np.array([2, 3], np.int64), np.array([0], np.int32), np.array([1], np.int32), np.array([5], np.int64)
)


class Arrows(networkx.DiGraph):  # type: ignore[misc]
    """A class of somebody else's, made from NetworkX's."""


def test_a_graph_is_taken_as_it_is() -> None:
    assert graph_of(NAMED) is NAMED


@pytest.mark.parametrize(
    "kind", [networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph, Arrows]
)
def test_networkx_graphs_of_every_kind(kind: Any) -> None:
    thing = kind([("b", "a"), ("b", "a"), ("a", "a")])
    thing.add_node("z", job="cook")
    thing.add_edge("a", "b", since=1999)
    made = graph_of(thing)
    assert made.directed == thing.is_directed()
    assert edges_of(made) == ([("a", "b"), ("b", "a")] if made.directed else [("a", "b")])
    assert lone_of(made) == ["z"] and made.cleaned.weights == ("job", "since") and made.cleaned.loops == 1
    assert made.names().to_list() == list(thing.nodes)
    assert graph_of(thing, directed=False).directed is False


def test_nodes_of_networkx_keep_their_order_and_numbers() -> None:
    thing = networkx.Graph([(5, 3), (3, 9)])
    made = graph_of(thing)
    assert made.names().to_list() == [5, 3, 9] and made.names().dtype == pl.Int64
    assert graph_of(networkx.Graph([(5, "x")])).names().to_list() == ["5", "x"]
    assert graph_of(networkx.Graph([(True, 2.5), (("t", 1), None)][:1])).names().to_list() == ["True", "2.5"]


def test_igraph_graphs() -> None:
    thing = igraph.Graph([(0, 1), (1, 2), (1, 1)], directed=True)
    made = graph_of(thing)
    assert made.labels is None and made.directed and edges_of(made) == [(0, 1), (1, 2)]
    thing.vs["name"], thing.es["weight"] = ["c", "b", "a"], [1, 2, 3]
    named = graph_of(thing)
    assert named.names().to_list() == ["c", "b", "a"] and named.cleaned.weights == ("weight",)
    assert edges_of(graph_of(igraph.Graph(2))) == []


def test_kinds_of_nodes() -> None:
    thing = networkx.Graph([("a", "b")])
    networkx.set_node_attributes(thing, {"a": 1, "b": 2}, "job")
    made = graph_of(thing, kinds="job")
    assert made.kinds is not None and made.kinds.to_list() == ["1", "2"] and made.cleaned.weights == ()
    thing.add_node("c")
    with pytest.raises(BadGraph, match="1 nodes have no attribute 'job'"):
        graph_of(thing, kinds="job")
    other = to_igraph(NAMED)
    assert graph_of(other, kinds="kind").kinds.to_list() == KINDS.to_list()  # type: ignore[union-attr]
    with pytest.raises(BadGraph, match="has attribute 'job'; there are name, kind"):
        graph_of(other, kinds="job")
    with pytest.raises(BadGraph, match="no attribute 'job'"):
        graph_of([(1, 2)], kinds="job")


@pytest.mark.parametrize(
    ("thing", "edges"),
    [
        (np.array([[1, 2], [2, -3]]), [(-3, 2), (1, 2)]),
        (np.array([[1, 2], [2, 3]], np.uint8), [(1, 2), (2, 3)]),
        (np.array([[1, 2], [2, 3]])[::-1], [(1, 2), (2, 3)]),
        (np.array([["a", "b"]]), [("a", "b")]),
        (np.array([["a", 1]], object), [("1", "a")]),
        (pl.DataFrame({"from": ["a"], "to": ["b"]}), [("a", "b")]),
        (pl.LazyFrame({"from": ["a"], "to": ["b"]}), [("a", "b")]),
        (pyarrow.table({"source": [4], "target": [3]}), [(3, 4)]),
        ([(1, 2), (2, 1), (2, 3)], [(1, 2), (2, 3)]),
        ([["x", 1]], [("1", "x")]),
        (scipy.sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])), [(0, 1), (1, 2)]),
        (scipy.sparse.lil_matrix(np.array([[0, 1], [1, 0]])), [(0, 1)]),
    ],
)
def test_arrays_frames_pairs_and_matrices(thing: Any, edges: list[object]) -> None:
    made = graph_of(thing)
    assert edges_of(made) == edges and not made.directed


def test_a_matrix_that_is_not_symmetric_is_directed() -> None:
    matrix = scipy.sparse.coo_array(np.array([[0, 2, 0], [0, 0, 0], [0, 0, 1]]))
    made = graph_of(matrix)
    assert made.directed and edges_of(made) == [(0, 1)] and made.nodes == 3
    assert made.cleaned.loops == 1 and made.cleaned.weights == ("weights",)
    assert edges_of(graph_of(matrix, directed=False)) == [(0, 1)]
    zeros = scipy.sparse.coo_array((np.array([0, 1, 1]), (np.array([0, 0, 1]), np.array([2, 1, 0]))), (3, 3))
    assert edges_of(graph_of(zeros)) == [(0, 1)] and graph_of(zeros).cleaned.weights == ()
    assert graph_of(zeros, directed=True).edges == 2


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        (networkx.Graph([(1, "1")]), "two nodes would both be called '1'"),
        (networkx.Graph([("", 1)]), "a node is called ''"),
        (object(), "an object of type object is no graph"),
        (None, "an object of type NoneType is no graph"),
        (np.zeros((3, 3)), "an array of shape"),
        (np.array([[0.5, 1]]), "has fractions"),
        ([(1, 2, 3)], "is no edge"),
        ([(1, None)], "is no edge"),
        (["ab"], "is no edge"),
        (scipy.sparse.csr_array(np.zeros((2, 3))), "is no graph"),
        (pl.DataFrame({"source": [1]}), "has one column"),
    ],
)
def test_what_is_no_graph_is_refused_in_one_sentence(thing: Any, sentence: str) -> None:
    with pytest.raises(BadGraph, match=sentence):
        graph_of(thing)


def test_two_nodes_of_igraph_with_one_name_are_refused() -> None:
    thing = igraph.Graph(2)
    thing.vs["name"] = ["a", "a"]
    with pytest.raises(BadGraph, match="two nodes would both be called 'a'"):
        graph_of(thing)


def test_direction_is_not_made_up() -> None:
    with pytest.raises(BadGraph, match="no direction"):
        graph_of(networkx.Graph([(1, 2)]), directed=True)
    assert graph_of([(1, 2)], directed=True).directed


@pytest.mark.parametrize("directed", [False, True])
def test_graphs_come_back_from_both_libraries(directed: bool) -> None:
    chance = np.random.default_rng(3)
    ends = chance.integers(0, 20, (2, 40))
    for labels in (None, pl.Series(range(30, 50)), pl.Series([f"p{at}" for at in range(20)])):
        made = Graph.of_edges(20, ends[0], ends[1], labels=labels, directed=directed)
        assert same(made, graph_of(to_networkx(made))) and same(made, graph_of(to_igraph(made)))
    assert to_networkx(NAMED).nodes["c"] == {"kind": "x"}


def test_groupings_become_objects_with_sizes() -> None:
    thing = to_networkx(GROUPS)
    assert thing.nodes[1] == {"size": 3} and thing.edges[0, 1] == {"edges": 5}
    other = to_igraph(GROUPS)
    assert other.vs["size"] == [2, 3] and other.es["edges"] == [5]


def test_no_library_is_loaded_before_its_object_comes() -> None:
    script = (
        "import sys, numpy; from shoal.graphs.formats.objects import graph_of;"
        "graph_of(numpy.array([[1, 2]]));"
        "assert not {'networkx', 'igraph', 'scipy.sparse', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=LONG)
