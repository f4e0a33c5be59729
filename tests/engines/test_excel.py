"""Workbooks are read as the CSV file of their first sheet would be, or refused with the cure."""

import importlib.util
import logging
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from shoal.core.errors import BadTable
from shoal.engines.excel import _load, unpacked_size
from shoal.engines.files import read_frame
from workbooks import workbook

HAS_IT = importlib.util.find_spec("fastexcel") is not None
needs_it = pytest.mark.skipif(not HAS_IT, reason="fastexcel is not installed")
PEOPLE: list[list[object]] = [
    ["name", "age", "zip"],
    ["Ann", 34, "02138"],
    ["Bob", None, "02139"],
    ["Cid", 1.5, "02140"],
]


@needs_it
def test_a_workbook_is_read_as_text(tmp_path: Path) -> None:
    frame = read_frame(workbook(tmp_path / "people.xlsx", PEOPLE))
    assert frame.columns == ["name", "age", "zip"]
    assert frame.rows() == [("Ann", "34", "02138"), ("Bob", None, "02139"), ("Cid", "1.5", "02140")]
    assert read_frame(tmp_path / "people.xlsx", columns=["zip"]).columns == ["zip"]


@needs_it
def test_other_sheets_and_names_that_come_twice_get_a_remark(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    twice: list[list[object]] = [["zip", "age", "zip"], ["a", 1, "b"], ["c", 2, "d"]]
    with caplog.at_level(logging.WARNING, "shoal"):
        frame = read_frame(workbook(tmp_path / "t.xlsx", twice, PEOPLE))
    assert frame.columns == ["zip", "age", "zip_2"] and frame.height == 2
    assert "2 sheets; the first one, 's1', is read" in caplog.text and "'zip_2'" in caplog.text


@needs_it
@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([[1, 34, "f"], [2, 51, "m"], [3, 34, "f"], [4, 29, "m"]], "no header"),
        ([["name", None], ["Ann", 3]], "no name"),
        ([], "is empty"),
        ([["name", "age"]], "no rows"),
    ],
)
def test_a_sheet_that_is_no_table_is_refused(
    rows: Sequence[Sequence[object]], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(BadTable, match=sentence):
        read_frame(workbook(tmp_path / "t.xlsx", rows))


@needs_it
def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(b"PK and nothing else")
    with pytest.raises(BadTable, match=r"cannot read 't|cannot read '.*t\.xlsx'"):
        read_frame(tmp_path / "t.xlsx")


def test_a_workbook_that_swells_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (300 << 20))
    assert unpacked_size(path) == 300 << 20 and unpacked_size(b"no archive") == 0
    with pytest.raises(BadTable, match="far more than packed tables do"):
        read_frame(path)


@pytest.mark.skipif(HAS_IT, reason="fastexcel is installed")
def test_without_fastexcel_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=r"pip install 'shoal\[excel\]', or save the sheet as CSV"):
        read_frame(workbook(tmp_path / "people.xlsx", PEOPLE))


def far_out(path: Path, rows: str) -> Path:
    """A workbook whose sheet has these rows besides a table."""
    workbook(path, PEOPLE)
    with zipfile.ZipFile(path) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for part, content in parts.items():
            archive.writestr(part, content.replace(b"</sheetData>", f"{rows}</sheetData>".encode()))
    return path


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="5"><c r="XFD5"><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row>',
        '<row r="9"><c r="ZZZZZZ9"><v>1</v></c></row>',
    ],
)
def test_a_cell_far_out_does_not_fill_the_memory(rows: str, tmp_path: Path) -> None:
    """One cell in the last corner of a sheet asked for 17 billion cells, and ended the process."""
    with pytest.raises(BadTable, match="delete what lies far out, or save the table as CSV"):
        read_frame(far_out(tmp_path / "far.xlsx", rows))


@needs_it
def test_a_stray_cell_that_is_not_far_is_read(tmp_path: Path) -> None:
    found = read_frame(far_out(tmp_path / "stray.xlsx", '<row r="9000"><c r="B9000"><v>1</v></c></row>'))
    assert found.height == 4


@needs_it
def test_a_panic_of_the_reader_is_one_sentence(tmp_path: Path) -> None:
    import fastexcel

    rows = '<row r="99999999999"><c r="ZZZZZZ99999999999"><v>1</v></c></row>'
    place = far_out(tmp_path / "far.xlsx", rows)
    with pytest.raises(BadTable, match="where no sheet has any"):
        _load(fastexcel.read_excel(str(place)), "far.xlsx")


def test_an_open_document_whose_repeated_cells_swell_is_refused(tmp_path: Path) -> None:
    """One kilobyte said: a million characters, three thousand times. The process ended without a word."""
    row = (
        '<table:table-row table:number-rows-repeated="{}">'
        '<table:table-cell table:number-columns-repeated="{}">'
        "<text:p>{}</text:p></table:table-cell></table:table-row>"
    )
    for name, repeated in (("bomb.ods", (300, 2, "x" * 1_000_000)), ("fair.ods", (300, 2, "x"))):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("content.xml", f'<o xmlns:table="t" xmlns:text="x">{row.format(*repeated)}</o>')
    assert unpacked_size(tmp_path / "bomb.ods") > 600_000_000
    assert unpacked_size(tmp_path / "fair.ods") < 2_000
    with pytest.raises(BadTable, match="far more than packed tables do"):
        read_frame(tmp_path / "bomb.ods")
