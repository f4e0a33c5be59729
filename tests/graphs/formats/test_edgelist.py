"""Edge lists in text, whichever way they are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.formats.shown import edges_of, graph, lone_of, read
from shoal.core.errors import BadGraph, BadTable
from shoal.engines import sniff
from shoal.engines.sniff import Text
from shoal.graphs.formats.edgelist import decode, read_edge_list, read_lines
from shoal.graphs.formats.edgelist_layout import EdgeList, detect_layout, head_of


@pytest.mark.parametrize(
    ("content", "edges", "lone"),
    [
        (b"1,2\n2,3\n", [(1, 2), (2, 3)], []),
        (b"1 2\n\n# c\n% d\n  3\t4 \n5", [(1, 2), (3, 4)], [5]),
        (b"\xef\xbb\xbf1,2\r\n3,4\r\n", [(1, 2), (3, 4)], []),
        (b"1 2\r3 4\r", [(1, 2), (3, 4)], []),
        (b"source,target\n1,2", [(1, 2)], []),
        (b"\xef\xbb\xbfsource,target\n1,2", [(1, 2)], []),
        (b"# c\nFromNodeId\tToNodeId\n1\t2\n", [(1, 2)], []),
        (b"one,two\n1,2\n3,\n", [(1, 2)], [3]),
        (b"a,b\nb,c\nd,\ne", [("a", "b"), ("b", "c")], ["d", "e"]),
        (b"007,7\n7,1\n", [("007", "7"), ("1", "7")], []),
        (b"-5,6\n6,-5\n", [(-5, 6)], []),
        (b"99999999999999999999,1\n", [("1", "99999999999999999999")], []),
        (b"9999999999 1\n1 2\n", [(1, 2), (1, 9999999999)], []),
        (b"id,source,target\n1,a,b\n2,b,c\n3,d,\n", [("a", "b"), ("b", "c")], ["d"]),
        (b"id,source,target\n1,10,20\n", [(10, 20)], []),
        (b"source,x,target\nsource,a,b\n", [("a", "source"), ("source", "x")], []),
        (b'"#a",b\n"x, y","1"\n', [("#a", "b"), ("1", "x, y")], []),
        (b"0 1 {}\n1 2 {'weight': 3}\n", [(0, 1), (1, 2)], []),
        (b"caf\xe9,b\n", [("b", "café")], []),
        (b"caf\xc3\xa9,b\n", [("b", "café")], []),
        (b"1,\n2,\n", [], [1, 2]),
        (b"Alice,Bob", [("Alice", "Bob")], []),
        (b"a,a\na,b\nb,a\n", [("a", "b")], []),
    ],
)
def test_edge_lists_are_read(content: bytes, edges: list[object], lone: list[object]) -> None:
    made = graph(content)
    assert edges_of(made) == edges and lone_of(made) == lone
    assert made.names().is_sorted()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "has no edges"),
        (b"\n\n", "has no edges"),
        (b"# only\n% comments\n", "has no edges"),
        (b"source,target\n", "has a header but no edges"),
        (b"1\n2\n3\n", "has one column only"),
        (b"1,2\n1 3\n", "line 2 of 'x' is '1 3', without ','"),
        (b"1,2,3\n1,2\n", "line 2 of 'x' has 2 fields where others have 3"),
        (b"a b\nc d e\n", "line 2 of 'x' has 3 fields where others have 2"),
        (b'"a,b,c\n', "line 1 of 'x' has a quote that is not closed"),
        (b",2\n1,3\n", "line 1 of 'x' does not name both ends"),
        (b"a\tb\n\tc\n", "line 2 of 'x' does not name both ends"),
        (b"1,2,x\n1,,x\n", "line 2 of 'x' does not name both ends"),
        (b"a,b\n,\n", "line 2 of 'x' does not name both ends"),
        (b"%%MatrixMarket matrix\n2 2 1\n1 2\n", "Matrix Market"),
    ],
)
def test_what_is_no_edge_list_is_refused_in_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(BadGraph) as caught:
        read(content)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"1,2\x00\n", bytes(range(128, 256)), b"\xc3\xa9,\xc3\xa8\n\xff,b\n"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BadTable):
        read(content)


def test_columns_beyond_the_ends_are_named() -> None:
    assert read(b"1 2 0.5 x\n2 3 0.7 y\n").left_out == ("column 3", "column 4")
    assert read(b"source,target,weight\n1,2,3\n").left_out == ("weight",)
    assert read(b"source,target,weight\na,b,3\n").left_out == ("weight",)
    assert read(b"1,2\n").left_out == ()


def test_the_style_is_told() -> None:
    assert (read(b"1;2\n").separator, read(b"1;2\n").header) == (";", None)
    assert read(b"node1\tnode2\na\tb\n").header == ("node1", "node2")


def test_encodings_are_detected_or_given() -> None:
    text = decode(Text("'x'", "Zoë,Bob\n".encode("utf-16")), None)
    assert edges_of(read_edge_list(text).ends.graph()) == [("Bob", "Zoë")]
    text = decode(Text("'x'", "Zoë,Bob\n".encode("cp437")), "cp437")
    assert edges_of(read_edge_list(text).ends.graph()) == [("Bob", "Zoë")]
    with pytest.raises(BadTable, match="0xEB"):
        read_edge_list(decode(Text("'x'", "Zoë,Bob\n".encode("latin-1")), "utf-8"), strict=True)


@given(st.text(alphabet="0129 \t,\n#a-;\r", max_size=40))
def test_the_fast_and_the_slow_reader_agree(text: str) -> None:
    content = Text("'x'", text.encode())
    try:
        slow = read_lines(content, detect_layout(head_of(content), None, "'x'"), True)
    except BadGraph as error:
        with pytest.raises(BadGraph) as caught:
            read_edge_list(content)
        assert str(caught.value) == str(error)
        return
    fast = read_edge_list(content)
    one, other = fast.ends.graph(), slow.ends.graph()
    assert (edges_of(one), one.names().to_list()) == (edges_of(other), other.names().to_list())
    assert (fast.separator, fast.header, fast.left_out) == (slow.separator, slow.header, slow.left_out)
    assert one.cleaned == other.cleaned


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read(content).ends.graph()
    except (BadGraph, BadTable) as error:
        assert "\n" not in str(error)


def found(content: bytes, separator: str | None = None, private: bool = False) -> EdgeList:
    text = Text("'x'", content)
    return read_lines(text, detect_layout(head_of(text), separator, "'x'", private), separator is None)


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
