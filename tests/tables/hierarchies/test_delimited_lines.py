from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.delimited_lines import records_of, write_records
from shoal.tables.hierarchies.hierarchy import Label


def records(path: Path, data: str | bytes) -> list[tuple[int, tuple[Label, ...]]]:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return [(record.line, record.fields) for record in records_of(path)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hierarchy.csv"


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separator_and_line_end_are_detected(path: Path, separator: str, end: str) -> None:
    text = end.join(separator.join(fields) for fields in ("ab", "cd"))
    assert records(path, text) == [(1, ("a", "b")), (2, ("c", "d"))]


def test_a_comma_inside_labels_is_no_separator_where_semicolons_are(path: Path) -> None:
    assert records(path, "1;[0, 5)\n2;[0, 5)\n") == [(1, ("1", "[0, 5)")), (2, ("2", "[0, 5)"))]


def test_a_semicolon_inside_quotes_is_no_separator(path: Path) -> None:
    assert records(path, '"a;b",x\n"c;d",y\n')[1] == (2, ("c;d", "y"))


def test_an_empty_field_is_missing_and_a_quoted_one_is_empty(path: Path) -> None:
    assert records(path, ';x\n"";y\na;\n') == [(1, (None, "x")), (2, ("", "y")), (3, ("a", None))]


def test_lines_are_counted_through_quoted_breaks_and_blank_lines(path: Path) -> None:
    assert records(path, 'a;b\n\n"c\nc";d\ne;f\n') == [(1, ("a", "b")), (3, ("c\nc", "d")), (5, ("e", "f"))]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_detected(path: Path, encoding: str) -> None:
    assert records(path, "Köln;Städte\n".encode(encoding)) == [(1, ("Köln", "Städte"))]


def test_a_quote_in_the_middle_is_plain_text(path: Path) -> None:
    assert records(path, '5" pipe;x\n') == [(1, ('5" pipe', "x"))]


@pytest.mark.parametrize("text", ['a;b\n"c"d;e\n', 'a;b\n"c;d\n'])
def test_a_stray_quote_is_refused_with_its_line(path: Path, text: str) -> None:
    with pytest.raises(BadHierarchy, match=r"line 2 of .*hierarchy\.csv' has a quote"):
        records(path, text)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(path: Path, data: bytes) -> None:
    with pytest.raises(BadHierarchy, match=r"hierarchy\.csv' is empty"):
        records(path, data)


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"cannot read .*none\.csv': No such file"):
        records_of(tmp_path / "none.csv")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(BadHierarchy, match=r"cannot write .*there\.csv': No such file"):
        write_records(tmp_path / "not" / "there.csv", [["a", "b"]])
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadHierarchy, match="cannot write"):
        write_records(tmp_path / "folder", [["a", "b"]])
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@given(rows=st.lists(st.lists(st.none() | st.text(), min_size=2, max_size=2), min_size=1))
def test_whatever_is_written_is_read_back(
    rows: list[list[Label]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.csv"
    write_records(path, rows)
    assert [list(record.fields) for record in records_of(path)] == rows
