"""Values between PostgreSQL and Polars, as the texts of COPY: which type each has on the other side."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import polars as pl

from shoal.core.errors import BadTable
from shoal.engines.frames import quote_value
from shoal.engines.sql_engine import BATCH

_TYPES: dict[int, pl.DataType] = {
    16: pl.Boolean(),
    20: pl.Int64(),
    21: pl.Int16(),
    23: pl.Int32(),
    700: pl.Float32(),
    701: pl.Float64(),
    1082: pl.Date(),
    1083: pl.Time(),
    1114: pl.Datetime("us"),
    1184: pl.Datetime("us", "UTC"),
}
_NUMERIC = 1700
_LARGEST = 38  # digits of a Polars decimal


def type_of(described: Any) -> pl.DataType | None:
    """The type of a column by its description: text for all that Polars lacks, none for free numbers."""
    if described.type_code != _NUMERIC:
        return _TYPES.get(described.type_code, pl.String())
    precision, scale = described.precision, described.scale
    if precision is None or precision > _LARGEST or scale is None or not 0 <= scale <= precision:
        return None
    return pl.Decimal(precision, scale)


def sql_type(kind: pl.DataType) -> str:
    """The type in PostgreSQL for a column that was worked out here."""
    if kind.is_integer():
        return "BIGINT"
    if kind.is_float():
        return "DOUBLE PRECISION"
    return "BOOLEAN" if kind == pl.Boolean else "TEXT"


def parts(copy: Any) -> Iterator[bytes]:
    """What COPY sends, put together to parts of whole rows."""
    rows: list[bytes] = []
    for row in copy:
        rows.append(bytes(row))
        if len(rows) == BATCH:
            yield b"".join(rows)
            rows.clear()
    if rows:
        yield b"".join(rows)


def typed(part: bytes, schema: dict[str, pl.DataType], mark: str) -> pl.DataFrame:
    """Rows that COPY sent, with their types; `mark` stands for a missing value."""
    texts = pl.read_csv(
        io.BytesIO(part),
        has_header=False,
        schema={f"{place}": pl.String for place in range(len(schema))},
        null_values=[mark],
        empty_string_is_null=False,
    )
    columns = []
    for place, (name, kind) in enumerate(schema.items()):
        try:
            columns.append(_cast(texts[f"{place}"], kind).alias(name))
        except pl.exceptions.PolarsError:
            # The library's own words quote cells.
            raise BadTable(
                f"column {quote_value(name)} holds values that are no {kind} here, such as infinity or years "
                "before 1; make a view that shows the column as text, or without them"
            ) from None
    return pl.DataFrame(columns)


def _cast(text: pl.Series, kind: pl.DataType) -> pl.Series:
    if kind == pl.String:
        return text
    if kind == pl.Boolean:
        return text == "t"
    if kind.is_float():
        return text.str.replace("Infinity", "inf", literal=True).cast(kind)
    if kind == pl.Date:
        return text.str.to_date("%Y-%m-%d")
    if kind == pl.Time:
        return text.str.to_time("%H:%M:%S%.f")
    if isinstance(kind, pl.Datetime):
        if kind.time_zone is None:
            return text.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us")
        moment = text.str.strip_suffix("+00").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us")
        return moment.dt.replace_time_zone("UTC")
    return text.cast(kind)


def csv(part: pl.DataFrame, mark: str) -> bytes:
    """Rows as COPY reads them."""
    return part.write_csv(include_header=False, null_value=mark, quote_style="non_numeric").encode()
