"""Edge lists written as text come back as they were, whatever nodes are called."""

from __future__ import annotations

import io

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from graphs.formats.shown import graph, read, same
from shoal.core.errors import BadGraph
from shoal.graphs.formats.edgelist_writing import write_edge_list
from shoal.graphs.formats.file_style import Style
from shoal.graphs.graph import Graph

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=4),
    st.text(alphabet="a1 ,;\t|\"#%{}'-", min_size=1, max_size=5),
    st.sampled_from(["source", "target", "from", "to", "u", "v", "1", "02", "1 2", "-7", "\ufeff", "1e3"]),
)


def written(made: Graph, style: Style) -> bytes:
    stream = io.BytesIO()
    write_edge_list(made, stream, style)
    return stream.getvalue()


def labelled(labels: list[str], pairs: list[tuple[int, int]]) -> Graph:
    return Graph.of_edges(
        len(labels), [one for one, _ in pairs], [other for _, other in pairs], labels=pl.Series(labels)
    )


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    labels = sorted(draw(st.lists(texts, unique=True, min_size=1, max_size=6)))
    end = st.integers(0, len(labels) - 1)
    return labelled(labels, draw(st.lists(st.tuples(end, end), max_size=6)))


@given(graphs(), st.sampled_from(",;\t |"), st.sampled_from([None, ("source", "target"), ("one", "two")]))
@example(labelled(["from", "to"], [(0, 1)]), ",", None)
@example(labelled(["1", "2", "a", "b"], [(2, 3)]), ",", None)
@example(labelled(["1 2", "3"], [(0, 1)]), ",", None)
@example(labelled(["A B C", "D"], [(0, 1)]), ",", None)
@example(labelled(["0", "1", "1 0"], [(0, 1)]), " ", None)
@example(labelled(["source", "target"], [(0, 1)]), ",", ("source", "target"))
def test_whatever_nodes_are_called_the_graph_comes_back(
    made: Graph, separator: str, header: tuple[str, str] | None
) -> None:
    content = written(made, Style(".csv", separator, header))
    note(repr(content))
    assert same(made, graph(content))


def test_a_file_without_a_header_is_answered_without_one() -> None:
    made = Graph.of_edges(4, [0, 1], [1, 2])
    assert written(made, Style(".csv", ",", None)) == b"0,1\n1,2\n3,\n"
    assert written(made, Style(".csv", ";", ("a", "b"))) == b"a;b\n0;1\n1;2\n3;\n"
    assert written(made, Style(".txt", " ", None)) == b"0 1\n1 2\n3\n"
    named = labelled(["al", "bo", "c d", "e,f"], [(0, 1), (0, 3)])
    assert written(named, Style(".csv", ",", None)) == b'al,bo\nal,"e,f"\nc d,\n'


def test_a_graph_without_edges_still_shows_two_columns() -> None:
    made = Graph.of_edges(2, [], [])
    assert written(made, Style(".txt", " ", None)) == b"0,\n1,\n"
    assert read(written(made, Style(".txt", " ", None))).ends.nodes == 2


def test_a_first_edge_that_looks_like_a_header_gets_one_above_it() -> None:
    assert (
        written(labelled(["from", "to"], [(0, 1)]), Style(".csv", ",", None)) == b"source,target\nfrom,to\n"
    )
    made = labelled(["source", "target"], [(0, 1)])
    assert written(made, Style()) == b"from,to\nsource,target\n"


@pytest.mark.parametrize("label", ["a\nb", "a\rb", "a\0b"])
def test_a_label_with_a_line_end_is_refused(label: str) -> None:
    with pytest.raises(BadGraph, match="line end"):
        written(labelled([label, "c"], [(0, 1)]), Style())


def test_numbers_are_written_in_the_order_of_nodes() -> None:
    chance = np.random.default_rng(5)
    made = Graph.of_edges(50, chance.integers(0, 50, 200), chance.integers(0, 50, 200))
    assert same(made, graph(written(made, Style(".txt", " ", None))))
