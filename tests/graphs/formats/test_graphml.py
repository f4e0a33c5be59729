"""GraphML: what others write, what must never be expanded, what is broken."""

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

from graphs.formats.shown import edges_of, same
from shoal.core.errors import BadGraph
from shoal.engines.sniff import Text
from shoal.graphs.formats.graphml import read_graphml, write_graphml
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

NODES = '<node id="a"/><node id="b"/>'


def read(content: str | bytes, kinds: str | None = None, directed: bool | None = None) -> Graph | Grouping:
    raw = content.encode() if isinstance(content, str) else content
    return read_graphml(Text("'x'", raw)).subject(directed, kinds)


def graph(content: str | bytes, kinds: str | None = None) -> Graph:
    found = read(content, kinds)
    assert isinstance(found, Graph)
    return found


def written(subject: Graph | Grouping, kinds: str = "kind") -> bytes:
    stream = io.BytesIO()
    write_graphml(subject, stream, kinds)
    return stream.getvalue()


# Everything that XML can hold.
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=5
)


@given(
    st.lists(texts | st.sampled_from(["\t", "a\nb", "a\r"]), unique=True, min_size=2, max_size=6),
    st.booleans(),
)
def test_any_labels_come_back(labels: list[str], directed: bool) -> None:
    ends = np.arange(len(labels) - 1)
    kinds = pl.Series(labels)
    made = Graph.of_edges(
        len(labels), ends, ends + 1, labels=pl.Series(labels), directed=directed, kinds=kinds
    )
    back = graph(written(made, "what & <which>"), "what & <which>")
    assert same(made, back) and back.directed == directed and back.kinds is not None
    stripped = [label.strip(" \t\r\n\x85\xa0") for label in labels]
    if stripped == labels:
        assert sorted(back.kinds.to_list()) == sorted(kinds.to_list())


def test_what_networkx_writes_is_read_and_the_other_way_round(tmp_path: Path) -> None:
    club = networkx.karate_club_graph()
    networkx.write_graphml(club, tmp_path / "club.graphml")
    made = graph((tmp_path / "club.graphml").read_bytes(), "club")
    assert edges_of(made) == sorted(tuple(sorted(edge)) for edge in club.edges)
    assert made.cleaned.weights == ("weight",)
    assert made.kinds is not None and made.kinds[0] == "Mr. Hi"
    (tmp_path / "back.graphml").write_bytes(written(made))
    back = networkx.read_graphml(tmp_path / "back.graphml", node_type=int)
    assert networkx.utils.graphs_equal(networkx.Graph(back.edges), networkx.Graph(club.edges))
    assert back.nodes[0]["kind"] == "Mr. Hi"


def test_what_igraph_writes_is_read_and_the_other_way_round(tmp_path: Path) -> None:
    star = igraph.Graph.Star(4, mode="out")
    star.vs["name"] = ["hub", "x", "y", "z"]
    star.write_graphml(str(tmp_path / "star.graphml"))
    made = graph((tmp_path / "star.graphml").read_bytes())
    assert made.directed and edges_of(made) == [("hub", "x"), ("hub", "y"), ("hub", "z")]
    (tmp_path / "back.graphml").write_bytes(written(made))
    back = igraph.Graph.Read_GraphML(str(tmp_path / "back.graphml"))
    assert back.is_directed() and back.vs["id"] == ["hub", "x", "y", "z"] and back.ecount() == 3


def test_a_grouping_comes_back_with_and_without_edges() -> None:
    for ends, weights in (([0, 1], [1, 4]), ([], [])):
        sources, targets = np.zeros(len(ends), np.int32), np.array(ends, np.int32)
        made = Grouping(np.array([2, 3, 4]), sources, targets, np.array(weights, np.int64))
        back = read(written(made))
        assert isinstance(back, Grouping) and back.sizes.tolist() == [2, 3, 4]
        assert (back.targets.tolist(), back.weights.tolist()) == (ends, weights)


def test_defaults_of_keys_hold_for_nodes_that_say_nothing() -> None:
    key = '<key id="k" for="node" attr.name="job"><default> nurse </default></key>'
    made = graph(
        f'<graphml>{key}<graph><node id="a"><data key="k">cook</data></node><node id="b"/></graph></graphml>',
        "job",
    )
    assert made.kinds is not None and made.kinds.to_list() == ["cook", "nurse"]


def test_direction_is_told_by_the_graph_or_by_every_edge() -> None:
    edge = '<edge source="a" target="b" directed="true"/>'
    assert graph(f'<graphml><graph edgedefault="undirected">{NODES}{edge}</graph></graphml>').directed
    assert not graph(f"<graphml><graph>{NODES}</graph></graphml>").directed
    with pytest.raises(BadGraph, match="with and without direction"):
        graph(f'<graphml><graph>{NODES}{edge}<edge source="a" target="b"/></graph></graphml>')


def test_edges_may_come_before_their_nodes_and_prefixes_do_not_matter() -> None:
    edge = '<g:edge source="a" target="b"/>'
    nodes = NODES.replace("<node", "<g:node")
    made = graph(f'<g:graphml xmlns:g="http://x">\n<g:graph>{edge}{nodes}</g:graph></g:graphml>')
    assert edges_of(made) == [("a", "b")]


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://example.org/x"> %p;',
    ],
)
def test_entities_are_refused_and_never_expanded(declared: str) -> None:
    with pytest.raises(BadGraph, match="declares entities"):
        read(f'<!DOCTYPE g [{declared}]><graphml><graph><node id="&b;"/></graph></graphml>')


def test_a_reference_to_an_outside_grammar_is_not_followed() -> None:
    made = graph(
        f'<!DOCTYPE graphml SYSTEM "http://localhost:1/g.dtd"><graphml><graph>{NODES}</graph></graphml>'
    )
    assert made.nodes == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no sound GraphML: no element found"),
        (b"\x00\x01garbage", "no sound GraphML"),
        (b"<graphml><graph><node id=", "no sound GraphML"),
        (b"<graphml><graph><node id='&foo;'/></graph></graphml>", "undefined entity"),
        (b'<?xml version="1.0" encoding="nope"?><graphml/>', "unknown encoding"),
        (b"<svg/>", "begins with <svg>"),
        (b"<graphml/>", "has no <graph>"),
        (b"<graphml><graph/></graphml>", "has no nodes"),
        (b"<graphml><graph/><graph/></graphml>", "several graphs"),
        (b"<graphml><graph><node id='a'><graph/></node></graph></graphml>", "a graph inside a node"),
        (b"<graphml><graph><node/></graph></graphml>", "without an id"),
        (b"<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", "two nodes with id 'a'"),
        (b"<graphml><graph><node id='a'/><edge source='a'/></graph></graphml>", "without source or target"),
        (b"<graphml><graph><node id='a'/><edge source='a' target='z'/></graph></graphml>", "node 'z'"),
        (b"<graphml><graph><node id='a'/><hyperedge/></graph></graphml>", "hyperedges"),
    ],
)
def test_what_is_no_graph_is_refused_in_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(BadGraph) as caught:
        read(content)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_deep_nesting_does_not_end_the_process() -> None:
    with pytest.raises(BadGraph):
        read(b"<graphml>" + b"<x>" * 200_000)


def test_a_label_that_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(BadGraph, match="XML cannot hold"):
        written(Graph.of_edges(2, [0], [1], labels=pl.Series(["a\x01", "b"])))
