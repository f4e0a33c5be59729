"""Graphs as columns of a frame."""

from __future__ import annotations

import datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.formats.shown import edges_of, lone_of, same
from shoal.core.errors import BadGraph
from shoal.graphs.formats.edge_columns import from_frame, header_of, lone_nodes, to_frame
from shoal.graphs.graph import Graph


def test_named_ends_come_before_the_first_two_columns() -> None:
    frame = pl.DataFrame({"weight": [1.5], "target": ["b"], "source": ["a"]})
    graph = from_frame(frame, "the frame", directed=True)
    assert edges_of(graph) == [("a", "b")] and graph.cleaned.weights == ("weight",)
    assert header_of(frame) == ("source", "target")
    assert edges_of(from_frame(pl.DataFrame({"x": [1], "y": [2]}), "the frame")) == [(1, 2)]


@pytest.mark.parametrize(
    ("sources", "targets", "edges", "lone"),
    [
        ([1, 2], [3, None], [(1, 3)], [2]),
        ([1.0, 2.0], [3.0, float("nan")], [(1, 3)], [2]),
        ([-4, 2**62], [2**62, 0], [(-4, 2**62), (0, 2**62)], []),
        (["1", "a"], ["2", None], [("1", "2")], ["a"]),
        ([1, 2], ["2", "x"], [("1", "2"), ("2", "x")], []),
        ([True, False], [False, False], [("false", "true")], []),
        ([datetime.date(2020, 1, 1)], ["x"], [("2020-01-01", "x")], []),
    ],
)
def test_whole_numbers_stay_and_all_else_is_text(
    sources: list[object], targets: list[object], edges: list[object], lone: list[object]
) -> None:
    graph = from_frame(pl.DataFrame({"source": sources, "target": targets}), "the frame")
    assert edges_of(graph) == edges and lone_of(graph) == lone


def test_numbers_beyond_64_bits_are_text() -> None:
    frame = pl.DataFrame({"source": pl.Series([2**64 - 1], dtype=pl.UInt64), "target": [1]})
    assert edges_of(from_frame(frame, "the frame")) == [("1", "18446744073709551615")]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"source": [1]}, "has one column"),
        ({"source": [1, None], "target": [2, 3]}, "row 2 of the frame has no source"),
        ({"source": [], "target": []}, "has no rows"),
        ({"source": [0.5], "target": [1]}, "has fractions"),
        ({"source": [float("inf")], "target": [1]}, "has fractions"),
        ({"source": ["", "a"], "target": ["b", "b"]}, "has an empty label"),
        ({"source": [[1]], "target": [1]}, "give whole numbers or text"),
    ],
)
def test_what_is_no_label_is_refused(columns: dict[str, list[object]], sentence: str) -> None:
    with pytest.raises(BadGraph, match=sentence):
        from_frame(pl.DataFrame(columns), "the frame")


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6))), st.booleans(), st.booleans())
def test_a_graph_comes_back_from_its_frame(pairs: list[tuple[int, int]], directed: bool, named: bool) -> None:
    labels = pl.Series([f"n {at}" for at in range(7)]) if named else None
    ends = [[pair[end] for pair in pairs] for end in (0, 1)]
    graph = Graph.of_edges(7, ends[0], ends[1], labels=labels, directed=directed)
    assert same(graph, from_frame(to_frame(graph), "the frame", directed))


def test_a_node_that_is_only_pointed_to_is_not_alone() -> None:
    graph = Graph.of_edges(3, [0], [1], directed=True)
    assert lone_nodes(graph).tolist() == [2]
    assert to_frame(graph, ("a", "b")).rows() == [(0, 1), (2, None)]
