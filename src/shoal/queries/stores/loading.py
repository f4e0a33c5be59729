"""Files and frames on their way into a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter
from shoal.engines.files import read_frame
from shoal.engines.frames import decimal_texts, quote_value, to_frame
from shoal.queries.declaration.declaration import Table
from shoal.queries.stores.cleaning_sql import Source, match_columns

_WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)


def declared_columns(table: Table, rows: Any) -> pl.DataFrame:
    """The declared columns of a file or frame, in the order of the declaration."""
    table = table.given
    if isinstance(rows, str | Path):
        names = [column.name for column in table.columns]
        try:
            frame = read_frame(rows, columns=names, private=True)
        except BadParameter:
            frame = read_frame(rows, private=True)  # the names may differ in case
        where = quote_value(rows)
    else:
        frame, where = (rows if isinstance(rows, pl.DataFrame) else to_frame(rows)), "the frame"
    return to_frame(frame.select(match_columns(table, frame.columns, where)))


def source_of(kind: pl.DataType) -> Source:
    """What the cleaning has to expect of cells that `cells_of` gave."""
    if kind in _WHOLE:
        return "whole"
    if kind in (pl.Float32, pl.Float64):
        return "float"
    if kind == pl.Boolean:
        return "truth"
    return "day" if kind == pl.Date else "moment" if kind == pl.Datetime else "text"


def cells_of(cells: pl.Series, moments: bool = False) -> pl.Series:
    """Cells as DuckDB can take them: moments in UTC or as their day there, what it does not know as text."""
    kind = cells.dtype
    if isinstance(kind, pl.Datetime) and moments:
        return (
            cells.cast(pl.Datetime("us", kind.time_zone), strict=False).to_physical().cast(pl.Datetime("us"))
        )
    if isinstance(kind, pl.Datetime):
        local = cells if kind.time_zone is None else cells.dt.convert_time_zone("UTC")
        return local.cast(pl.Date, strict=False)
    if kind == pl.UInt64:
        signed = cells.cast(pl.Int64, strict=False)
        return signed if signed.null_count() == cells.null_count() else cells.cast(pl.String)
    if isinstance(kind, pl.Decimal):
        return decimal_texts(cells)
    if isinstance(kind, pl.Duration):
        return cells.dt.to_string("iso")
    if source_of(kind) == "text" and kind != pl.String:
        return cells.cast(pl.String, strict=False)
    return cells
