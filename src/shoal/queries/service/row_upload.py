"""Rows that come in over HTTP: records in JSON, or CSV. A value stays the text it is; the store reads it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from pydantic import TypeAdapter, ValidationError

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.sniff import Text
from shoal.engines.text_tables import read_text
from shoal.queries.declaration.declaration import Table, Value
from shoal.queries.service.requests import Record

_RECORDS = TypeAdapter(list[Record])


def frame_of(table: Table, content: bytes, kind: str) -> pl.DataFrame:
    """The rows in a body of a content type."""
    if kind == "text/csv":
        return _from_csv(table, content)
    try:
        return _from_records(table, _RECORDS.validate_json(content, strict=True))
    except ValidationError:
        raise BadTable("not an array of objects") from None


def table_of(table: Table, given: Sequence[Mapping[str, Value]] | str) -> pl.DataFrame:
    """The rows in a part of a larger body: records, or CSV as a text."""
    return _from_csv(table, given.encode()) if isinstance(given, str) else _from_records(table, given)


def _from_csv(table: Table, content: bytes) -> pl.DataFrame:
    if not content.strip():
        raise BadTable("no header line")
    return _check_names(table, read_text(Text("the rows", content), separator=",", encoding="utf-8"))


def _from_records(table: Table, records: Sequence[Mapping[str, Value]]) -> pl.DataFrame:
    names = dict.fromkeys(name for record in records for name in record)
    columns: dict[str, Any] = {
        name: pl.Series(name, [_text(record.get(name)) for record in records], pl.String) for name in names
    }
    return _check_names(table, pl.DataFrame(columns))


def _check_names(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with the declared names; others are refused, or a slip in a name would lose a column."""
    table = table.given  # a table that hangs on another does not say whose its rows are
    declared = {column.name.lower(): column.name for column in table.columns}
    known = ", ".join(declared.values())
    names = [name.lower() for name in frame.columns]
    if len(set(names)) < len(names):
        raise BadParameter(f"two columns of one name in the rows; the table {table.name} has {known}")
    strange = sum(name not in declared for name in names)
    if strange:  # a name may be a value in the wrong place, so it is not repeated
        raise BadParameter(f"{strange} unknown column(s) in the rows; the table {table.name} has {known}")
    if frame.height and table.unit is not None and table.unit.lower() not in names:
        raise BadParameter(f"no '{table.unit}' in the rows, so that nobody knows whose they are")
    frame = frame.rename({name: declared[name.lower()] for name in frame.columns})
    absent = [column.name for column in table.columns if column.name not in frame.columns]
    filled = frame.with_columns(pl.lit(None, pl.String).alias(name) for name in absent)
    return filled.select(column.name for column in table.columns)


def _text(value: Value) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if not isinstance(value, float):
        return str(value)
    if abs(value) >= 1e99:  # the store reads exponents of two digits; beyond all bounds is beyond them
        return "inf" if value > 0 else "-inf"
    return repr(value) if abs(value) > 1e-99 else "0"
