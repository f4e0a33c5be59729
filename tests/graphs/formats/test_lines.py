"""The reader of any text: headers that turn out to be edges, parts of files."""

from __future__ import annotations

import pytest

from graphs.formats.shown import edges_of
from shoal.core.errors import BadGraph
from shoal.engines import sniff
from shoal.engines.sniff import Text
from shoal.graphs.formats.layout import EdgeList, detected, head_of
from shoal.graphs.formats.lines import read_lines


def found(content: bytes, separator: str | None = None, private: bool = False) -> EdgeList:
    text = Text("'x'", content)
    return read_lines(text, detected(head_of(text), separator, "'x'", private), separator is None)


def test_a_first_line_whose_words_are_labels_is_an_edge() -> None:
    read = found(b"from,to\nto,by\n")
    assert read.header is None and edges_of(read.ends.graph()) == [("by", "to"), ("from", "to")]


def test_a_first_line_with_ends_elsewhere_that_is_no_header_is_read_again() -> None:
    read = found(b"x,source,target\nsource,source,z\n")
    assert read.header is None and read.left_out == ("column 3",)
    assert edges_of(read.ends.graph()) == [("source", "x")]


def test_a_first_line_of_two_who_occur_nowhere_else_is_doubtful() -> None:
    read = found(b"customer,friend\nAnn,Bob\nBob,Cid\n")
    assert read.doubtful and read.header is None and read.ends.nodes == 5
    assert not found(b"Ann,Bob\nBob,Cid\n").doubtful and not found(b"Ann,Bob\n").doubtful
    assert not found(b"source,target\nAnn,Bob\n").doubtful


def test_a_given_separator_is_trusted() -> None:
    read = found(b"a,b\n1 2\n", ",")
    assert read.ends.graph().names().to_list() == ["1 2", "a", "b"]


@pytest.mark.parametrize("chunk", [3, 5, 7])
def test_lines_and_letters_across_parts_are_whole(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sniff, "CHUNK", chunk)
    read = found("\ufeffé,ü\r\nü,ö\r\n€,é".encode())
    assert edges_of(read.ends.graph()) == [("é", "ü"), ("é", "€"), ("ö", "ü")]


def test_the_number_of_a_broken_line_counts_comments_and_blank_lines() -> None:
    with pytest.raises(BadGraph, match="line 5 of 'x' has 3 fields"):
        found(b"# c\n\na,b\n\na,b,c\n")


@pytest.mark.parametrize("content", [b"", b"source,target\n", b"# nothing\n", b"Ann\nBob\n"])
def test_in_private_a_text_without_edges_is_a_graph_without_edges(content: bytes) -> None:
    graph = found(content, private=True).ends.graph()
    assert graph.edges == 0 and graph.nodes == content.count(b"n\n") + content.count(b"b\n")
    with pytest.raises(BadGraph):
        found(content)
