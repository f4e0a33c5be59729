"""The rows that go out: recoded, without identifiers, in an order that tells nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.randomness import generator
from shoal.engines.frames import compact
from shoal.tables.table import Table


def assemble(
    table: Table,
    recoded: Mapping[str, tuple[pl.Series, NDArray[np.int32]]],
    kept: NDArray[np.bool_],
    seed: int | None,
) -> Table:
    """The rows that go out: kept ones, recoded, without identifiers, in an order that tells nothing.

    `recoded[column]` is the column's labels and, per row of the table, which of them it gets.
    """
    rows = np.flatnonzero(kept).astype(np.uint32)
    if table.weights is not None:
        return _assemble_distinct(table, recoded, rows)
    if seed is None:
        rows = generator(None).permutation(rows)
    columns = []
    for name in table.columns:
        if name in table.identifier:
            continue
        if name in recoded:
            labels, place = recoded[name]
            columns.append(labels.gather(place[rows]).alias(name))
        else:
            column = _gather_rows(table.frame[name], rows)
            # A list of categories names those of suppressed rows, too.
            columns.append(column.cast(pl.String) if column.dtype in (pl.Categorical, pl.Enum) else column)
    frame = pl.DataFrame(columns)
    held = table.frame.select(table.identifier)[rows] if table.identifier else None
    if seed is not None:
        # A seed can be guessed, and a guessed shuffle undone. Sorting first leaves nothing to undo to.
        plain = pl.DataFrame({f"{place}": column for place, column in enumerate(frame)})
        order = plain.select(pl.arg_sort_by(plain.columns, nulls_last=True)).to_series().to_numpy()
        order = order[generator(seed).permutation(frame.height)]
        frame = frame[order]
        held = None if held is None else held[order]
    # What names people is not released; a model that counts them is checked here, in the house.
    return replace(table.with_frame(compact(frame)), held=held)


def _assemble_distinct(
    table: Table, recoded: Mapping[str, tuple[pl.Series, NDArray[np.int32]]], rows: NDArray[np.uint32]
) -> Table:
    """The same for distinct rows: what each becomes, so that the engine can do it to those it stands for."""
    assert table.weights is not None
    kept = table.frame[rows]
    labels = {name: names.gather(place[rows]).alias(name) for name, (names, place) in recoded.items()}
    frame = kept.select(name for name in kept.columns if name not in table.identifier)
    return replace(
        table,
        frame=frame.with_columns(labels.values()),
        identifier=(),
        weights=table.weights[rows],
        sources=kept.select(table.quasi),
    )


def _gather_rows(column: pl.Series, rows: NDArray[np.uint32]) -> pl.Series:
    """Rows of a column; texts that repeat are moved as numbers, which is several times faster."""
    if column.dtype != pl.String or column.n_unique() > len(column) // 20:
        return column.gather(rows)
    kinds = column.unique()
    numbers = column.replace_strict(kinds, np.arange(len(kinds), dtype=np.uint32), return_dtype=pl.UInt32)
    return kinds.gather(numbers.to_numpy()[rows]).alias(column.name)
