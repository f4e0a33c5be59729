"""Workbooks: the first sheet as text, value by value, as a CSV file of it would read."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.errors import BadTable
from shoal.engines.frames import check_names, check_present
from shoal.engines.header import check_header, named_once
from shoal.engines.sniff import SAMPLE_LINES

LOG = logging.getLogger("shoal")
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
_MIDNIGHT = " 00:00:00"


def read_workbook(content: Path | bytes, columns: Sequence[str] | None, name: str) -> pl.DataFrame:
    """The first sheet of a workbook; its first line names the columns."""
    book = _opened(content, name)
    if len(book.sheet_names) > 1:
        LOG.warning(
            "%s has %s sheets; the first one, '%s', is read", name, len(book.sheet_names), book.sheet_names[0]
        )
    found: pl.DataFrame = book.load_sheet(0, header_row=None, dtypes="string").to_polars()
    found = found.filter(~pl.all_horizontal(pl.all().is_null()))
    if not found.height:
        raise BadTable(f"{name} is empty; give a sheet with a header line and rows")
    first = [value or "" for value in found.row(0)]
    names = named_once(first, name)
    check_names(names, name)
    rows = found[1:]
    check_header(names, [[value or "" for value in row] for row in rows.head(SAMPLE_LINES).rows()], name)
    rows.columns = names
    wanted = names if columns is None else list(dict.fromkeys(columns))
    check_present(wanted, names)
    return pl.DataFrame([_dates(rows[one]) for one in wanted])


def unpacked_size(content: Path | bytes) -> int:
    """The bytes that a workbook unpacks to; 0 for one that is no archive."""
    source: Any = io.BytesIO(content) if isinstance(content, bytes) else content
    try:
        with zipfile.ZipFile(source) as archive:
            return sum(part.file_size for part in archive.infolist())
    except zipfile.BadZipFile:
        return 0


def _opened(content: Path | bytes, name: str) -> Any:
    try:
        import fastexcel
    except ModuleNotFoundError:
        raise BadTable(
            f"{name} is a workbook, and reading one needs fastexcel; pip install 'shoal[excel]', "
            "or save the sheet as CSV"
        ) from None
    return fastexcel.read_excel(content if isinstance(content, bytes) else str(content))


def _dates(column: pl.Series) -> pl.Series:
    """Days without a time: a workbook has no days, only moments."""
    known = column.drop_nulls()
    if len(known) and known.str.ends_with(_MIDNIGHT).all():
        return column.str.strip_suffix(_MIDNIGHT)
    return column
