"""The rows of a table a page at a time: kept once as an Arrow file, of which any stretch is read at once."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.engines.files import write_frame
from shoal.jobs.tables.requests import TableRequest
from shoal.jobs.tables.source import read_table
from shoal.tables.model_inputs.text_values import texts

LONGEST = 200  # characters of a value that are shown


def keep_rows(job: TableRequest, place: str | Path) -> int:
    """Write the rows, as texts, where `rows_between` finds them; how many there are."""
    frame = read_table(job).frame
    write_rows(frame.select(texts(column) for column in frame), place)
    return frame.height


def write_rows(frame: pl.DataFrame, place: str | Path) -> None:
    """Write a table, whole or not at all."""
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    write_frame(frame, place)


def rows_between(place: str | Path, first: int, count: int) -> list[list[str | None]]:
    """Rows from `first` on as texts, long values cut; the file is not read as a whole."""
    found = pl.scan_ipc(place).slice(max(first, 0), max(count, 0)).collect()
    return [[_cut(value) for value in row] for row in found.rows()]


def _cut(value: str | None) -> str | None:
    return value if value is None or len(value) <= LONGEST else value[: LONGEST - 1] + "…"
