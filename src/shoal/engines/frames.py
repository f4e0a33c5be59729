"""Frames at the door: whatever holds columns becomes one plain Polars frame."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter, BadTable, ShoalError
from shoal.core.extras import require

# A panic of Polars' engine is no Exception, yet it says nothing more than a broken file or frame.
FAILURES: tuple[type[BaseException], ...] = (Exception, pl.exceptions.PanicException)


def to_frame(data: Any) -> pl.DataFrame:
    """A Polars, pandas or PyArrow table as a plain Polars frame; a pandas index is no column and is left."""
    try:
        frame = _convert(data)
    except ShoalError:
        raise
    except FAILURES as error:
        raise BadTable(
            f"cannot read the {_kind(data)} as a table: {reason(error)}; give plain columns"
        ) from error
    return plain(frame, "the frame")


def plain(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The frame with one value per cell: categories become text, nested columns are refused.

    A type of somebody's own becomes what it is stored as: what it says besides would go out with a release.
    """
    check_names(frame.columns, name)
    own = [column for column, dtype in frame.schema.items() if isinstance(dtype, pl.BaseExtension)]
    frame = frame.with_columns(pl.col(own).ext.storage()) if own else frame
    casts = []
    for column, dtype in frame.schema.items():
        if dtype.is_nested() or dtype == pl.Object:
            raise BadTable(
                f"column {quote_value(column)} of {name} holds {str(dtype).split('(')[0].lower()} values;"
                " give one plain value per cell"
            )
        if dtype in (pl.Categorical, pl.Enum, pl.Binary, pl.Null):
            casts.append(pl.col(column).cast(pl.String))
    if not casts:
        return frame
    try:
        return frame.with_columns(casts)
    except FAILURES as error:
        raise BadTable(
            f"{name} holds bytes that are no UTF-8 text: {reason(error)}; write the column as text"
        ) from error


def compact(frame: pl.DataFrame) -> pl.DataFrame:
    """The same frame with its texts in memory of their own.

    Rows picked from a column share its memory, and so bring along the texts of the rows left out: into a
    pickle and into an Arrow file, where a hex editor shows them.
    """
    # Joining with nothing writes every text anew; a copy or a cast would go on sharing.
    return frame.with_columns(
        pl.concat_str(pl.col(column), pl.lit(""))
        for column, dtype in frame.schema.items()
        if dtype == pl.String
    )


def decimal_texts(column: pl.Series) -> pl.Series:
    """Decimals as texts, each without its last noughts; anything else as its text.

    A column has as many digits behind the point as whoever has most, and 5 is not 5.00 because of somebody.
    """
    digits, kind = column.cast(pl.String), column.dtype
    fractions = isinstance(kind, pl.Decimal) and kind.scale > 0
    return digits.str.strip_chars_end("0").str.strip_chars_end(".") if fractions else digits


def check_names(columns: Iterable[str], name: str) -> None:
    """Refuse a column without a name and a name given twice."""
    seen: set[str] = set()
    for place, column in enumerate(columns, start=1):
        if not column:
            raise BadTable(
                f"column {place} of {name} has no name; name it in the header (pandas: to_csv(index=False)), "
                "and delete titles and further lines of a header above the names"
            )
        if column in seen:
            raise BadTable(f"{name} has two columns named {quote_value(column)}; rename one of them")
        seen.add(column)


def check_present(columns: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a wanted column that is not there."""
    there = set(names)
    for column in columns:
        if column not in there:
            raise BadParameter(f"no column {quote_value(column)}; the table has {one_line(', '.join(names))}")


def one_line(text: object) -> str:
    """Text without line breaks and never longer than a sentence."""
    line = " ".join(str(text).split())
    return line if len(line) <= 200 else line[:197] + "..."


def reason(error: BaseException) -> str:
    """What a foreign library complains about: its first line, without its final stop."""
    lines = str(error).strip().splitlines()
    return one_line(lines[0] if lines else type(error).__name__).rstrip(".:; ")


def quote_value(value: object) -> str:
    """A value as messages show it: in quotes and on one line."""
    return f"'{one_line(value)}'"


def _convert(data: Any) -> pl.DataFrame:
    if isinstance(data, pl.DataFrame):
        return data
    if isinstance(data, pl.LazyFrame):
        return data.collect()
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__dataframe__"):
        return _from_arrow(data)
    raise BadTable(
        f"a {_kind(data)} is no table; give a Polars, pandas or PyArrow table, or the path of a file"
    )


def _from_arrow(data: Any) -> pl.DataFrame:
    require("arrow", f"a {_kind(data)} as a table", "give a Polars frame or the path of a CSV file")
    import pyarrow

    if not hasattr(data, "__arrow_c_stream__"):
        from pyarrow.interchange import from_dataframe

        data = from_dataframe(data)
    table = pyarrow.table(data)
    # An index would become a column without a role, and so be released as it stands.
    table = table.drop_columns(_index_columns(table.schema.metadata, table.column_names))
    check_names(table.column_names, "the frame")
    frame = pl.from_arrow(table, rechunk=False)
    assert isinstance(frame, pl.DataFrame)
    return frame


def _index_columns(metadata: dict[bytes, bytes] | None, names: Sequence[str]) -> list[str]:
    described = json.loads((metadata or {}).get(b"pandas", b"{}"))
    return [name for name in described.get("index_columns", []) if isinstance(name, str) and name in names]


def _kind(data: object) -> str:
    return f"{type(data).__module__.split('.')[0]} {type(data).__name__}"
