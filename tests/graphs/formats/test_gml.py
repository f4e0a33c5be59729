"""GML: what others write, and what is broken."""

from __future__ import annotations

import io
from pathlib import Path

import igraph
import networkx
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.formats.shown import edges_of, lone_of, same
from shoal.core.errors import BadGraph
from shoal.graphs.formats.gml import read_gml, write_gml
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping


def read(content: str, kinds: str | None = None) -> Graph | Grouping:
    return read_gml(content, "'x'").subject(None, kinds)


def graph(content: str, kinds: str | None = None) -> Graph:
    found = read(content, kinds)
    assert isinstance(found, Graph)
    return found


def written(subject: Graph | Grouping, kinds: str = "kind") -> str:
    stream = io.BytesIO()
    write_gml(subject, stream, kinds)
    return stream.getvalue().decode("ascii")


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5)


@given(
    st.lists(texts | st.sampled_from(["&amp;", '"', "]", "a\nb", "#"]), unique=True, min_size=2, max_size=6),
    st.booleans(),
)
def test_any_labels_come_back(labels: list[str], directed: bool) -> None:
    ends = np.arange(len(labels) - 1)
    kinds = pl.Series(labels)
    made = Graph.of_edges(
        len(labels), ends, ends + 1, labels=pl.Series(labels), directed=directed, kinds=kinds
    )
    back = graph(written(made, "my job"), "myjob")
    assert same(made, back) and back.directed == directed
    assert back.kinds is not None and sorted(back.kinds.to_list()) == sorted(labels)


def test_what_networkx_writes_is_read_and_the_other_way_round(tmp_path: Path) -> None:
    club = networkx.karate_club_graph()
    club.add_node('é & "co"')
    networkx.write_gml(club, tmp_path / "club.gml")
    made = graph((tmp_path / "club.gml").read_text())
    assert made.edges == 78 and made.cleaned.weights == ("club", "weight")
    assert lone_of(made) == ['é & "co"']
    (tmp_path / "back.gml").write_text(written(made))
    back = networkx.read_gml(tmp_path / "back.gml")
    assert set(back.nodes) == {str(node) for node in club.nodes} and back.number_of_edges() == 78


def test_what_igraph_writes_is_read_and_the_other_way_round(tmp_path: Path) -> None:
    star = igraph.Graph.Star(4, mode="in")
    star.vs["name"] = ["hub", "x", "y", "z"]
    star.write_gml(str(tmp_path / "star.gml"))
    made = graph((tmp_path / "star.gml").read_text())
    assert made.directed and edges_of(made) == [("x", "hub"), ("y", "hub"), ("z", "hub")]
    (tmp_path / "back.gml").write_text(written(made))
    back = igraph.Graph.Read_GML(str(tmp_path / "back.gml"))
    assert back.is_directed() and back.vs["label"] == ["hub", "x", "y", "z"] and back.ecount() == 3


def test_a_grouping_comes_back_with_and_without_edges() -> None:
    for ends, weights in (([0, 1], [1, 4]), ([], [])):
        sources, targets = np.zeros(len(ends), np.int32), np.array(ends, np.int32)
        made = Grouping(np.array([2, 3, 4]), sources, targets, np.array(weights, np.int64))
        back = read(written(made))
        assert isinstance(back, Grouping) and back.sizes.tolist() == [2, 3, 4]
        assert (back.targets.tolist(), back.weights.tolist()) == (ends, weights)


def test_comments_lists_and_ids_of_any_length_are_read() -> None:
    made = graph(
        """# made by hand
        Creator "somebody [ with brackets ]"
        Version 1
        graph [ # the graph
          comment "no # comment"
          directed 0
          node [ id 123456789012345678901234567890 graphics [ x 1.5 y -2e3 fill "#ff0000" ] ]
          node [ id -2 ]
          edge [ target -2 value NAN source 123456789012345678901234567890 ]
        ]"""
    )
    assert edges_of(made) == [("-2", "123456789012345678901234567890")]
    assert made.cleaned.weights == ("graphics", "value")


def test_two_ids_that_differ_in_the_last_digit_are_two_people() -> None:
    made = graph("graph [ node [ id 9007199254740993 ] node [ id 9007199254740992 ] ]")
    assert made.names().to_list() == [9007199254740992, 9007199254740993]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "has no graph"),
        ("graph [ ]", "has no nodes"),
        ("graph [ node [ id 1 ]", "ends inside a bracket"),
        ("graph [ node [ id 1 ] ] ]", "no sound GML: ']' on line 1"),
        ("graph [\nnode ] ]", "on line 2"),
        ('graph [ node [ id 1 label "a ] ]', "no sound GML"),
        ("graph [ node [ id 1 ] ] graph [ ]", "several graphs"),
        ("graph [ node [ label 1 ] ]", "without an id"),
        ("graph [ node [ id 1 ] node [ id 1 ] ]", "two nodes with id '1'"),
        ("graph [ node [ id 1 ] edge [ source 1 ] ]", "without source or target"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "node '2', which is not there"),
        ("graph [ node [ id 1 ] ? ]", "'?' on line 1"),
        ("<graphml/>", "no sound GML"),
        ("1 2\n3 4\n", "no sound GML"),
        ("graph [ " + "a [ " * 100_000, "ends inside a bracket"),
    ],
)
def test_what_is_no_graph_is_refused_in_one_sentence(content: str, sentence: str) -> None:
    with pytest.raises(BadGraph) as caught:
        read(content)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_a_reference_is_the_character_of_its_number() -> None:
    # A browser would read 133 as the dots of Windows, and leave 65534 out.
    strange = Graph.of_edges(3, [0], [1], labels=pl.Series("label", ["a\x85", "b\ufffe", "R&amp;B"]))
    assert same(graph(written(strange)), strange)
    told = graph('graph [ node [ id 1 label "AT&T &copy &#x41;&#233;&eacute; &#9999999;" ] ]')
    assert told.name(0) == "AT&T &copy Aéé &#9999999;"
