"""Separators, headers, fields."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.core.errors import BadGraph
from shoal.engines.sniff import Text
from shoal.graphs.formats.edgelist_layout import (
    Layout,
    detect_layout,
    ends_of,
    fields,
    head_of,
    is_header,
    is_safe_header,
    lines_of,
    public_separator,
    two_numbers,
)


@pytest.mark.parametrize(
    ("lines", "separator"),
    [
        (["1,2", "3,4"], ","),
        (["1;2;0,5", "2;3;0,7"], ";"),
        (["1 2 0,5", "2 3 0,6"], " "),
        (["1\t2", "3\t4"], "\t"),
        (["1\t2", "3 4"], " "),
        (["1   2", "3 4"], " "),
        (["Smith, J;Doe, A", "X, Y;Z, W"], ";"),
        (["Anna Maria Schmidt,Karl Otto Weber", "Ida Eva Klein,Udo Jan Wolf"], ","),
        (["1, 2", "3, 4"], ","),
        (["John Smith\tMary", "Lone Man"], "\t"),
        (['"a;b",c', '"d;e",f'], ","),
        (["a|b", "c|d"], "|"),
        (["7", "8", "1,2"], ","),
        (["1,2,3", "1,2"], ","),
        ([], " "),
    ],
)
def test_the_separator_is_detected(lines: list[str], separator: str) -> None:
    assert detect_layout(lines, None, "'x'").separator == separator


def test_a_given_separator_is_taken() -> None:
    assert detect_layout(["a,b c"], " ", "'x'").first == ("a,b", "c")


@pytest.mark.parametrize(
    ("line", "separator", "expected"),
    [
        ("a , b", ",", ["a", "b"]),
        ('"a,b", c ,""', ",", ["a,b", "c", ""]),
        ('"x""y",b', ",", ['x"y', "b"]),
        ('O"Brien,b', ",", ['O"Brien', "b"]),
        ('"a b"  c', " ", ["a b", "c"]),
        ('"a,b', ",", None),
        ('"a"b,c', ",", None),
        ("0 1 {'weight': 3, 'b': 2}", " ", ["0", "1", "{}"]),
        ('0 1 {"weight": 3}', " ", ["0", "1", "{}"]),
        ("a,", ",", ["a", ""]),
        ("a\t\tb", "\t", ["a", "", "b"]),
    ],
)
def test_lines_are_cut_outside_of_quotes(line: str, separator: str, expected: list[str] | None) -> None:
    assert fields(line, separator) == expected


@pytest.mark.parametrize(
    ("first", "labels", "header"),
    [
        (("source", "target"), ["a", "b"], True),
        (("FromNodeId", "ToNodeId"), ["1"], True),
        (("from", "to"), ["from", "x"], False),
        (("source", "target"), [], True),
        (("alpha", "beta"), ["1", "2"], True),
        (("alpha", "beta"), ["1", "gamma"], False),
        (("alpha", "beta"), [], False),
        (("alpha", "7"), ["1", "2"], False),
        (("u", "v"), ["1", "2"], True),
        (("u", "v"), ["w", "x"], False),
        (("u", "v"), ["Al", "Bo"], True),
        (("u", "v"), [], False),
        (("source",), ["1"], False),
        (("node_1", "node-2", "weight"), ["ann"], True),
    ],
)
def test_a_header_is_known_by_its_words_or_by_the_numbers_below(
    first: tuple[str, ...], labels: list[str], header: bool
) -> None:
    assert is_header(Layout(",", len(first), first, ends_of(first)), labels) is header


def test_ends_may_stand_anywhere_when_they_are_named() -> None:
    assert ends_of(["id", "Source", "weight", "Target"]) == (1, 3)
    assert ends_of(["Target", "Source"]) == (1, 0)
    assert ends_of(["a", "b"]) == (0, 1)
    layout = Layout(",", 4, ("id", "source", "", "target"), (1, 3))
    assert layout.header == ("source", "target") and layout.left_out(True) == ("id", "column 3")
    assert layout.left_out(False) == ("column 3", "column 4")


def test_a_header_is_safe_where_no_reader_can_mistake_it() -> None:
    assert is_safe_header(("source", "target"), pl.Series(["a"]))
    assert not is_safe_header(("source", "target"), pl.Series(["source"]))
    assert not is_safe_header(("one", "two"), pl.Series(["a"]))
    assert is_safe_header(("one", "two"), pl.Series(["1"])) and is_safe_header(("one", "two"), pl.Series([1]))
    assert not is_safe_header(("1", "two"), pl.Series([1]))


def test_a_matrix_market_file_is_refused() -> None:
    with pytest.raises(BadGraph, match=r"scipy\.io\.mmread"):
        detect_layout(["%%MatrixMarket matrix coordinate pattern symmetric", "3 3 1", "1 2"], None, "'x'")


def test_the_head_is_what_follows_the_comments() -> None:
    content = b"\xef\xbb\xbf# first\r\n" + b"# more\r\n" * 5000 + b"1 2\r\n3 4"
    assert head_of(Text("'x'", content)) == ["# first", "1 2", "3 4"]
    assert head_of(Text("'x'", b"1 2\r3 4\r")) == ["1 2", "3 4"]
    assert head_of(Text("'x'", b"")) == []


def test_small_helpers() -> None:
    assert lines_of("a\r\nb\rc\nd") == ["a", "b", "c", "d"]
    assert two_numbers("1 -2") and two_numbers("1, 2") and not two_numbers("1") and not two_numbers("a 2")


@pytest.mark.parametrize(
    ("lines", "separator", "header"),
    [
        (["source,target", "1;2", "3;4"], ",", True),
        (["source;target", "1,2;3"], ";", True),
        (["1", "2", "3,4"], ",", False),
        (["Ann Lee", "3,4"], ",", False),
        (['"a;b",c', "d,e"], ",", False),
        (["a,b", "1,2"], ",", False),
        (["u,v", "Ann,Bob"], ",", False),
        (["weight,from,to", "1,a,b"], ",", True),
        ([], ",", False),
    ],
)
def test_in_private_the_header_decides_or_the_extension_and_no_edge(
    lines: list[str], separator: str, header: bool
) -> None:
    assert public_separator(lines, ".csv", "x") == separator
    found = detect_layout(lines, separator, "x", private=True)
    for labels in ([], ["1", "2"], ["Ann", "Bob"], ["source", "from"]):
        assert is_header(found, labels) is header


@pytest.mark.parametrize(
    ("lines", "extension"),
    [(["1;2", "2,3"], ".csv"), (["1 2"], ".csv"), (["1 2", "2;3"], ".txt"), (["1,2"], ""), (["1,2"], ".tsv")],
)
def test_in_private_what_may_be_meant_otherwise_is_refused(lines: list[str], extension: str) -> None:
    with pytest.raises(BadGraph, match="pass --separator"):
        public_separator(lines, extension, "x")
