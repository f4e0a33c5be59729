"""Workbooks: the first sheet as text, value by value, as a CSV file of it would read."""

from __future__ import annotations

import io
import logging
import re
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

import polars as pl

from shoal.core.errors import BadTable
from shoal.engines.frames import check_names, check_present
from shoal.engines.header import check_header, unique_names, with_row_numbers
from shoal.engines.sniff import SAMPLE_LINES

LOG = logging.getLogger("shoal")
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
MANY = 10_000_000  # cells that any sheet may have room for
SPARSE = 100  # times as many as it has, and no more
LONGEST_TAG = 10_000
_MIDNIGHT = " 00:00:00"
_OPEN_DOCUMENT = "content.xml"
_PLACE = re.compile(rb'<(?:\w+:)?(c|row)\s[^<>]*?\br\s*=\s*["\']([A-Z]{0,20})([0-9]{1,20})["\']')


def read_workbook(
    content: Path | bytes, columns: Sequence[str] | None, name: str, private: bool = False
) -> pl.DataFrame:
    """The first sheet of a workbook; its first line names the columns. `private` as in `read_frame`."""
    _refuse_far_cells(content, name)
    book = _open(content, name)
    if len(book.sheet_names) > 1:
        LOG.warning(
            "%s has %s sheets; the first one, '%s', is read", name, len(book.sheet_names), book.sheet_names[0]
        )
    found = _load(book, name)
    found = found.filter(~pl.all_horizontal(pl.all().is_null()))
    if not found.height:
        raise BadTable(f"{name} is empty; give a sheet with a header line and rows")
    first = [value or "" for value in found.row(0)]
    rows = found[1:]
    some = [[value or "" for value in row] for row in rows.head(SAMPLE_LINES).rows()]
    names = unique_names(with_row_numbers(first, some, name), name)
    check_names(names, name)
    check_header(names, some, name)
    rows.columns = names
    wanted = names if columns is None else list(dict.fromkeys(columns))
    check_present(wanted, names)
    return pl.DataFrame([_dates(rows[one], private) for one in wanted])


def unpacked_size(content: Path | bytes) -> int:
    """The bytes that a workbook unpacks to, repeated rows and cells too; 0 for one that is no archive."""
    source: Any = io.BytesIO(content) if isinstance(content, bytes) else content
    try:
        with zipfile.ZipFile(source) as archive:
            size = sum(part.file_size for part in archive.infolist())
            if _OPEN_DOCUMENT in archive.namelist():
                with archive.open(_OPEN_DOCUMENT) as sheet:
                    size += _Repeated().written_out(sheet)
            return size
    except zipfile.BadZipFile:
        return 0


class _Repeated:
    """Counts the characters of an OpenDocument sheet, in which a cell or row may stand for a million."""

    def __init__(self) -> None:
        self.all = self.row = self.cell = 0
        self.rows = self.cells = 1

    def written_out(self, sheet: IO[bytes]) -> int:
        """How many there are once everything that is repeated is written out; 0 for what is no XML."""
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.CharacterDataHandler = self._characters
        with suppress(expat.ExpatError):  # whoever reads the workbook will complain
            parser.ParseFile(sheet)
        return self.all

    def _begin(self, tag: str, told: dict[str, str]) -> None:
        if tag.endswith(":table-row"):
            self.rows, self.row = _times(told, "rows"), 0
        elif tag.endswith(":table-cell"):
            self.cells, self.cell = _times(told, "columns"), len(told.get("office:string-value", ""))

    def _characters(self, text: str) -> None:
        self.cell += len(text)

    def _end(self, tag: str) -> None:
        if tag.endswith(":table-cell"):
            self.row += self.cell * self.cells
        elif tag.endswith(":table-row"):
            self.all += self.row * self.rows


def _times(told: dict[str, str], what: str) -> int:
    found = told.get(f"table:number-{what}-repeated", "1")
    return int(found) if found.isascii() and found.isdigit() and len(found) < 10 else 1


def _open(content: Path | bytes, name: str) -> Any:
    try:
        import fastexcel
    except ModuleNotFoundError:
        raise BadTable(
            f"{name} is a workbook, and reading one needs fastexcel; pip install 'shoal[excel]', "
            "or save the sheet as CSV"
        ) from None
    return fastexcel.read_excel(content if isinstance(content, bytes) else str(content))


def _load(book: Any, name: str) -> pl.DataFrame:
    try:
        found: pl.DataFrame = book.load_sheet(0, header_row=None, dtypes="string").to_polars()
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # fastexcel's own, which is no Exception and has no name
            raise
        raise BadTable(f"cannot read {name}: its cells lie where no sheet has any; save it as CSV") from None
    return found


def _refuse_far_cells(content: Path | bytes, name: str) -> None:
    """Refuse a sheet with a cell so far out that the empty ones up to it would fill the memory."""
    source: Any = io.BytesIO(content) if isinstance(content, bytes) else content
    if not zipfile.is_zipfile(source):
        return
    with zipfile.ZipFile(source) as archive:
        for part in archive.infolist():
            if part.filename.endswith(".xml"):
                with archive.open(part) as sheet:
                    cells, rows, columns = _reach(sheet)
                if rows * columns > max(MANY, SPARSE * cells):
                    raise BadTable(
                        f"{name} has {cells:,} cells on a sheet of {rows:,} rows and {columns:,} columns; "
                        "delete what lies far out, or save the table as CSV"
                    )


def _reach(sheet: IO[bytes]) -> tuple[int, int, int]:
    """How many cells a sheet has, and how far down and right they reach."""
    cells, rows, columns, left = 0, 0, 0, b""
    while part := sheet.read(1 << 20):
        text = left + part
        end = text.rfind(b"<")  # the rest of a tag comes with the next piece
        left = text[end:] if end >= 0 and len(text) - end < LONGEST_TAG else b""
        for kind, letters, digits in _PLACE.findall(text[: len(text) - len(left)]):
            cells += kind == b"c"
            rows = max(rows, int(digits))
            if len(letters) > 3:
                columns = max(columns, 26 ** len(letters))
            else:
                columns = max(
                    columns, sum((sign - 64) * 26**place for place, sign in enumerate(letters[::-1]))
                )
    return cells, rows, columns


def _dates(column: pl.Series, private: bool) -> pl.Series:
    """Days without a time: a workbook has no days, only moments. With `private` each by itself."""
    known = column.drop_nulls()
    if private or (len(known) and known.str.ends_with(_MIDNIGHT).all()):
        return column.str.strip_suffix(_MIDNIGHT)
    return column
