"""The noisy answers of leaves as tables for an outer query."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from shoal.queries.answering.noise import DTYPES
from shoal.queries.declaration.declaration import Value
from shoal.queries.query import Query

FURTHEST = 2**62  # a whole number that is further off is cut off: nobody can read it anyway


_SAMPLES: dict[Any, tuple[Any, Any]] = {
    pl.Int64: (1, 2),
    pl.Float64: (1.5, 2.5),
    pl.String: ("x", "y"),
    pl.Boolean: (True, False),
    pl.Date: (datetime.date(2000, 1, 1), datetime.date(2001, 2, 2)),
}


def sample_table(schema: Mapping[str, Any], rows: int) -> pl.DataFrame:
    """Made-up rows: what fails on them is refused before anything is spent."""
    return pl.DataFrame(
        {name: list(_SAMPLES.get(kind, (None, None)))[:rows] for name, kind in schema.items()},
        schema=dict(schema),
    )


def empty_table(query: Query) -> pl.DataFrame:
    """The table that a leaf's answer will be, without rows: what kinds its columns have is public."""
    return pl.DataFrame(
        schema={output.name: dtype_of(query, place) for place, output in enumerate(query.outputs)}
    )


def leaf_table(query: Query, rows: Sequence[Sequence[Value]]) -> pl.DataFrame:
    """A leaf's answer."""
    columns = list(zip(*rows, strict=True)) or [()] * len(query.outputs)
    return pl.DataFrame(
        [
            series(output.name, column, dtype_of(query, place))
            for place, (output, column) in enumerate(zip(query.outputs, columns, strict=True))
        ]
    )


def dtype_of(query: Query, place: int) -> Any:
    """What one output of a leaf is; it is a key or an aggregate as it is."""
    name = number_of(query, place)
    if name.startswith("k"):
        return DTYPES[query.keys[int(name[1:])].kind]
    aggregate = query.aggregates[int(name[1:])]
    if aggregate.shown is not None:
        return DTYPES[aggregate.shown]
    return pl.Int64 if aggregate.whole else pl.Float64


def number_of(query: Query, place: int) -> str:
    """The key or aggregate that an output of a leaf is: keys come first, in brackets or not, and a key that
    is written out (GROUP BY 'x') stands there as what is written.
    """
    return f"k{place}" if place < len(query.keys) else query.outputs[place].sql.name


def series(name: str, values: Sequence[Any], kind: Any) -> pl.Series:
    """Plain values as a column."""
    if kind == pl.Date:
        values = [datetime.date.fromisoformat(value) if isinstance(value, str) else value for value in values]
    elif kind == pl.Datetime("us"):
        values = [
            datetime.datetime.fromisoformat(value) if isinstance(value, str) else value for value in values
        ]
    elif kind == pl.Int64:
        values = [None if value is None else int(min(max(value, -FURTHEST), FURTHEST)) for value in values]
    return pl.Series(name, values, dtype=kind, strict=False)
