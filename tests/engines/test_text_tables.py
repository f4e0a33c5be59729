"""Text tables, value by value, and each way in which they can be broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv

from shoal.core.errors import BadInput
from shoal.engines import text_tables as text_module
from shoal.engines.sniff import Text
from shoal.engines.text_tables import read_text


def table(content: bytes, **options: Any) -> pl.DataFrame:
    return read_text(Text("'t.csv'", content), **options)


def refusal(content: bytes, **options: str) -> str:
    with pytest.raises(BadInput) as caught:
        table(content, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_values_stay_the_text_they_are() -> None:
    frame = table(b"zip,age,day\n02138,040,2001-02-03\n1e5, 7 ,NA\n")
    assert frame.rows() == [("02138", "040", "2001-02-03"), ("1e5", " 7 ", "NA")]
    assert set(frame.dtypes) == {pl.String}


def test_an_empty_field_is_missing_and_a_quoted_one_is_empty_text() -> None:
    assert table(b'a,b\n,""\n"",\n').rows() == [(None, ""), ("", None)]


def test_quoted_values_may_hold_quotes_separators_and_line_breaks() -> None:
    assert table(b'a,b\n"x,""y""","1\r\n2"\n').rows() == [('x,"y"', "1\r\n2")]


def test_a_quote_inside_a_bare_value_is_a_character() -> None:
    assert table(b'a,b\n5" pipe,x"y\n').rows() == [('5" pipe', 'x"y')]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_is_read(end: bytes) -> None:
    assert table(end.join([b"a,b", b"1,2", b"3,4", b""])).rows() == [("1", "2"), ("3", "4")]
    assert table(end.join([b"a,b", b"1,2"])).rows() == [("1", "2")]


def test_blank_lines_are_skipped_where_a_row_has_several_fields() -> None:
    assert table(b"\n\na,b\n1,2\n\n3,4\n\n\n").rows() == [("1", "2"), ("3", "4")]


def test_a_blank_line_in_a_table_of_one_column_is_a_missing_value() -> None:
    assert table(b"\na\nx\n\ny\n\n")["a"].to_list() == ["x", None, "y", None]


def test_a_line_with_too_few_or_too_many_fields_is_refused_by_number() -> None:
    assert refusal(b"a,b\n1,2\n3\n") == (
        "'t.csv' has 1 field on line 3, but the header has 2;"
        " repair the line, or quote values that contain ','"
    )
    assert "has 3 fields on line 4, but the header has 2" in refusal(b'a,b\n"1\n",2\n3,4,5\n')
    assert "has 1 field on line 4, but the header has 2" in refusal(b"a\tb\n1\t2\n\n3\n")
    assert "quote values that contain a tab" in refusal(b"a\tb\n1\t2\n3\n")


def test_a_broken_line_far_down_is_refused_by_number() -> None:
    assert "has 1 field on line 500002" in refusal(b"aaaaaaaa,b\n" + b"11111111,2\n" * 500_000 + b"3\n")


@pytest.mark.parametrize("tail", [b'3,"4\n5,6\n', b'3,"4', b'3,"', b'3,"4""', b'3,"4\r\n'])
def test_a_quote_that_is_never_closed_is_refused(tail: bytes) -> None:
    assert refusal(b"a,b\n1,2\n" + tail) == (
        "'t.csv' opens a quote on line 3 that is never closed; close it, or write a literal quote as \"\""
    )


def test_an_open_quote_is_found_even_when_its_column_is_not_wanted() -> None:
    with pytest.raises(BadInput, match="opens a quote on line 2"):
        read_text(Text("'t.csv'", b'a,b\n1,"2\n3,4\n'), columns=["a"])


def test_an_open_quote_in_an_early_column_is_refused() -> None:
    assert "opens a quote on line 3" in refusal(b'a,b\n1,2\n"3,4\n5,6\n')
    assert "opens a quote on line 3" in refusal(b'a\n1\n"2\n3\n')
    assert "opens a quote on line 2" in refusal(b'a,b\n"1,2\n' + b"3,4\n" * 100_000)


@pytest.mark.parametrize(
    "tail", [b'3,""', b'3,"4"', b'3,"4"\n', b'3,",""" ', b'3,4"', b'"","\n"', b'3,"\n"\n']
)
def test_a_last_quote_that_is_closed_is_fine(tail: bytes) -> None:
    assert table(b"a,b\n1,2\n" + tail).height == 2


@pytest.mark.parametrize(
    "content", [b'h\na\n"\n', b'h\n a\n "\n"\n\n', b'h\ny\n1"\n"', b'a,b\n "x","\n', b'h\n1"\n"\r\n']
)
def test_an_open_quote_is_found_by_its_place_and_not_by_counting(content: bytes) -> None:
    assert "opens a quote on line" in refusal(content)


def test_a_quote_in_the_middle_of_another_value_opens_and_closes_nothing() -> None:
    assert table(b'h\n1"\r\n"\n"\n').rows() == [('1"',), ("\n",)]


def test_the_last_field_is_missing_whatever_was_quoted_before_it() -> None:
    assert table(b'a,b\n"y,z",').rows() == [("y,z", None)]
    assert table(b'a,b\n"y,z",""').rows() == [("y,z", "")]


def test_what_follows_a_closing_quote_belongs_to_the_value() -> None:
    assert table(b'a,b\n"x"y"z,""""""\n').rows() == [('xy"z', '""')]


@pytest.mark.parametrize("block", [1, 2, 3, 5, 7, 64])
def test_where_a_block_ends_changes_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    content = '\ufeff\r\na,b\r\n"1\r\n2",""\r\n\r\né,"x""y"\r\n"z"q,\r'.encode()
    whole = table(content)
    monkeypatch.setattr(text_module, "BLOCK", block)
    # A line may be longer than a block, as far as it ends within the next: join what is too long for that.
    try:
        assert table(content).equals(whole)
    except BadInput as error:
        assert "has a line longer than" in str(error) and block < 16
    assert whole.rows() == [("1\r\n2", ""), ("é", 'x"y'), ("zq", None)]


def test_texts_of_columns_that_are_not_wanted_are_not_looked_at() -> None:
    content = b"a,b\n1,\xe9\n"
    assert read_text(Text("'t.csv'", content), columns=["a"]).rows() == [("1",)]
    assert table(content).rows() == [("1", "é")]


FIELD = st.lists(st.sampled_from(["a", '"', '""', '"x"', "1", "", '"y,z"', '"\n"', " ", "é"]), max_size=2)


@settings(max_examples=120, deadline=None)
@given(
    rows=st.integers(1, 3).flatmap(
        lambda width: st.lists(st.lists(FIELD.map("".join), min_size=width, max_size=width), max_size=4)
    ),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_reader_of_another_house_reads_the_same(rows: list[list[str]], end: str) -> None:
    width = len(rows[0]) if rows else 2
    names = ["h1", "h2", "h3"][:width]
    # The line at the end keeps two faults of PyArrow out: see the tests of open quotes and of the last field.
    last = ",".join("z" * width)
    content = end.join([",".join(names), *(",".join(row) for row in rows), last, ""]).encode()
    try:
        ours = table(content, separator=",")
    except BadInput as error:
        with pytest.raises((pyarrow.ArrowInvalid, AssertionError)):
            theirs = foreign(content, names)
            # It takes the end of the file for the end of a quote.
            assert "opens a quote" not in str(error) or theirs.row(-1)[-1] == "z"
    else:
        assert ours.rows() == foreign(content, names).rows()


def foreign(content: bytes, names: list[str]) -> pl.DataFrame:
    found = csv.read_csv(
        pyarrow.BufferReader(content),
        parse_options=csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=len(names) > 1),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(names, pyarrow.string()),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    frame = pl.from_arrow(found)
    assert isinstance(frame, pl.DataFrame)
    return frame


def test_a_line_longer_than_a_block_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "BLOCK", 1 << 20)
    assert "opens a quote on line 2" in refusal(b'a,b\n"' + b"1,2\n" * 5_000_000)
    assert "has a line longer than 1 MB" in refusal(b"a,b\n" + b"x" * 3_000_000 + b",2\n")


def test_names_must_be_there_and_differ() -> None:
    assert refusal(b",age\n1,2\n").startswith("column 1 of 't.csv' has no name; name it in the header")
    assert refusal(b'age,""\n1,2\n').startswith("column 2 of 't.csv' has no name; name it in the header")


@pytest.mark.parametrize("content", [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_an_empty_file_is_refused(content: bytes) -> None:
    assert refusal(content) == "'t.csv' is empty; give a file with a header line and rows"


def test_a_header_alone_gives_no_rows() -> None:
    assert table(b"a,b\n").height == 0


def test_encodings_are_detected() -> None:
    words = "städt,größe\nKöln,“1 €”\n"
    expected = pl.DataFrame({"städt": ["Köln"], "größe": ["“1 €”"]})
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32", "windows-1252"):
        assert table(words.encode(encoding)).equals(expected), encoding
    assert table(b"\xfe\xff" + words.encode("utf-16-be")).equals(expected)


def test_an_encoding_that_shows_only_after_the_head_is_detected() -> None:
    content = b"town,size\n" + b"Bonn,1\n" * 200_000 + "Köln,2\n".encode("windows-1252")
    assert table(content)["town"][-1] == "Köln"


def test_an_encoding_can_be_given() -> None:
    assert table("имя,x\nАнна,1\n".encode("koi8-r"), encoding="koi8-r").rows() == [("Анна", "1")]
    assert table("a,b\nñ,1\n".encode("utf-16-le"), encoding="utf-16-le").rows() == [("ñ", "1")]


def test_a_byte_of_no_known_encoding_is_refused_with_its_line() -> None:
    assert refusal(b"a,b\n1,2\n\x81\xe9,3\n") == (
        "'t.csv' has byte 0x81 on line 3, which is neither UTF-8 nor Windows-1252 text;"
        " save the file as UTF-8 or pass --encoding"
    )
    assert "byte 0x01 on line 2" in refusal(b"a,b\n\xe9\x01,2\n")


def test_a_damaged_utf8_file_is_not_taken_for_windows_text() -> None:
    content = "a,b\nKöln,Zürich\n".encode() + b"Bl\xf6d,1\n"
    assert refusal(content) == (
        "'t.csv' has byte 0xF6 on line 3, which is not utf-8;"
        " save the file as UTF-8 or pass its true --encoding"
    )
    assert table(content, encoding="windows-1252")["a"][1] == "Blöd"


def test_a_given_encoding_that_does_not_fit_is_refused() -> None:
    assert "byte 0xE9 on line 2, which is not utf-8" in refusal(b"a,b\n\xe9,2\n", encoding="utf-8")
    assert "byte 0xE9 on line 2, which is not ascii" in refusal(b"a,b\n\xe9,2\n", encoding="ascii")
    for wrong in ("rot13", "hex", "utf-9", "a\0b"):
        assert "try utf-8, windows-1252 or utf-16" in refusal(b"a,b\n1,2\n", encoding=wrong)


def test_a_broken_line_after_a_long_value_is_still_named() -> None:
    assert "has 1 field on line 3" in refusal(b"a,b\n" + b"x" * 300_000 + b",2\n3\n")


def test_a_binary_file_is_refused() -> None:
    message = refusal(b"PK\x03\x04\n\x00\x00junk")
    assert message.startswith(
        "'t.csv' is not a text table: it has byte 0x00 on line 2; give CSV, TSV, Parquet"
    )


def test_a_file_on_disk_reads_as_in_memory(tmp_path: Path) -> None:
    content = b'a;b\n"1\n2";3\n'
    (tmp_path / "t.csv").write_bytes(content)
    assert read_text(Text("t", tmp_path / "t.csv")).equals(table(content))
