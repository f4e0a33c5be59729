"""Separators, marks and broken records."""

from __future__ import annotations

import pytest

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.sniff import (
    HEAD,
    Layout,
    Text,
    check_separator,
    complaint,
    encoding_by_mark,
    has_quotes,
    layout,
)


def detected(content: str) -> str:
    return layout(Text("t", content.encode()), None, ",").separator


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_detected(separator: str) -> None:
    assert detected(f"zip{separator}age\n02138{separator}40\n") == separator


def test_other_separators_inside_values_do_not_mislead() -> None:
    assert detected("a;b\n1,5;2,5\n3,5;4,5\n") == ";"
    assert detected('a,"b;c;d;e"\n1,"2;3;4;5"\n') == ","
    assert detected('id;"a,b,c"\n1;"x,y,z"\n') == ";"
    assert detected("name|a,b,c\nx|1\ny|2\n") == "|"
    assert detected('a;"b\n,,,";c\n1;2;3\n') == ";"


def test_quotes_far_below_the_first_lines_do_not_change_the_separator() -> None:
    assert detected("a;b\n" + "1,5;2,5\n" * 20_000 + '"x\n,,,,";2\n') == ";"
    assert detected("a;b\n" + "\n" * 70_000 + "1,5;2,5\n" * 200) == ";"


def test_a_broken_line_does_not_change_the_separator() -> None:
    assert detected("a,b,c\n1,2,3\n4,5\n") == ","


def test_a_header_without_separator_is_one_column() -> None:
    assert layout(Text("t", b"name\nx;y\n"), None, ",") == Layout(["name"], ",", 0)
    assert layout(Text("t", b"name\nx;y\n"), None, "\t").separator == "\t"


def test_a_given_separator_wins() -> None:
    assert layout(Text("t", b"a,b;c\n1,2;3\n"), ";", ",").names == ["a,b", "c"]


def test_a_head_that_stops_inside_a_character_is_no_fault() -> None:
    for shift in range(3):
        content = b"a,b\n" + b"x" * shift + "€".encode() * HEAD
        assert layout(Text("t", content), None, ",").names == ["a", "b"]


def test_a_separator_is_one_plain_character() -> None:
    assert check_separator("\\t") == "\t"
    assert check_separator(":") == ":"
    for wrong in ("", ";;", '"', "\n", "§"):
        with pytest.raises(BadParameter, match="is not one plain character; give one of") as caught:
            check_separator(wrong)
        assert "\n" not in str(caught.value)


def test_marks_declare_the_encoding() -> None:
    assert encoding_by_mark(Text("t", "a".encode("utf-16"))) == "utf-16"
    assert encoding_by_mark(Text("t", "a".encode("utf-32"))) == "utf-32"
    assert encoding_by_mark(Text("t", "a".encode("utf-8-sig"))) == "utf-8"
    assert encoding_by_mark(Text("t", b"a")) is None


def test_quotes_are_found_and_zero_bytes_refused() -> None:
    assert has_quotes(Text("t", b'a"'))
    assert not has_quotes(Text("t", b"a"))
    with pytest.raises(BadTable, match="byte 0x00 on line 3"):
        has_quotes(Text("t", b'"a\n\n\0'))


def test_a_sound_table_draws_no_complaint() -> None:
    assert complaint(Text("t", b'a,b\n"1\n",2\n\n3,4\n'), Layout(["a", "b"], ",", 0)) is None


def test_a_header_too_long_to_be_one_is_refused() -> None:
    with pytest.raises(BadTable, match="unreadable header"):
        layout(Text("t", b'"' + b"x" * 200_000), ",", ",")
