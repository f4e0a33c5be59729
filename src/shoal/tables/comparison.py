"""What happened between an original and its release, read from the two tables alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.tables.classes import Classes
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.recoding import Floats, Recoding, full_domain
from shoal.tables.table import Table
from shoal.tables.values import texts


def recoding_between(original: Table, released: Table, ladders: Mapping[str, Hierarchy]) -> Recoding:
    """How often each original value was released on each level, and how often suppressed.

    When every column is on one level, the suppressed rows are those whose class is not in the release, and
    the answer is exact. Else rows cannot be matched, and each label's rows are shared out over its leaves as
    the original has them; only the entropy depends on that.
    """
    if released.rows > original.rows:
        raise BadParameter(
            f"the release has {released.rows:,} rows and its original {original.rows:,}; "
            "is --original really the table it was made from?"
        )
    chosen = [ladders[column] for column in released.quasi]
    sizes = Classes.of(released.with_roles(quasi=released.quasi)).sizes
    levels = [
        ladder.level_of(texts(released.frame[column]).unique().to_list())
        for column, ladder in zip(released.quasi, chosen, strict=True)
    ]
    if all(level is not None for level in levels):
        exact = _matched(original, released, dict(zip(released.quasi, levels, strict=True)), ladders)
        if exact is not None:
            kept = [_leaf_counts(exact[column], ladders[column]) for column in released.quasi]
            lost = [
                _leaf_counts(original.frame[column], ladders[column]) - counts
                for column, counts in zip(released.quasi, kept, strict=True)
            ]
            return full_domain(chosen, [level or 0 for level in levels], kept, lost, sizes)
    tables, suppressed = [], []
    for column, ladder in zip(released.quasi, chosen, strict=True):
        whole = _leaf_counts(original.frame[column], ladder)
        table = _shared_out(released.frame[column], ladder, whole)
        tables.append(table)
        suppressed.append(np.maximum(whole - table.sum(axis=0), 0.0))
    return Recoding(tuple(chosen), tuple(tables), tuple(suppressed), sizes, original.rows)


def generalised(
    frame: pl.DataFrame, levels: Mapping[str, int | None], ladders: Mapping[str, Hierarchy]
) -> pl.DataFrame:
    """The columns with every value as its label on the given level."""
    columns = []
    for column, level in levels.items():
        ladder = ladders[column]
        labels = [ladder.names[level or 0][code] for code in ladder.codes[level or 0]]
        columns.append(
            texts(frame[column])
            .replace(pl.Series(ladder.leaves, dtype=pl.String), pl.Series(labels, dtype=pl.String))
            .alias(column)
        )
    return pl.DataFrame(columns)


def _matched(
    original: Table, released: Table, levels: Mapping[str, int | None], ladders: Mapping[str, Hierarchy]
) -> pl.DataFrame | None:
    """The original rows that were released; None when the release is not such a recoding."""
    names = list(released.quasi)
    recoded = generalised(original.frame, levels, ladders).with_row_index("__row")
    classes = released.frame.select(texts(released.frame[column]) for column in names).unique()
    found = recoded.join(classes, on=names, how="semi", nulls_equal=True)
    return original.frame[found["__row"].to_numpy()] if found.height == released.rows else None


def _leaf_counts(column: pl.Series, ladder: Hierarchy) -> Floats:
    counted = texts(column).value_counts(name="rows")
    counts = np.zeros(len(ladder.leaves))
    for value, rows in zip(counted[column.name], counted["rows"], strict=True):
        if ladder.missing([value]):
            raise BadParameter(
                f"the hierarchy of '{column.name}' misses {value!r} of the original; add a line for it"
            )
        counts[ladder.position(value)] += rows
    return counts


def _shared_out(column: pl.Series, ladder: Hierarchy, whole: Floats) -> Floats:
    """Each label's rows over the leaves below it, in proportion to the original."""
    table = np.zeros(ladder.codes.shape)
    counted = texts(column).value_counts(name="rows")
    for label, rows in zip(counted[column.name], counted["rows"], strict=True):
        level = ladder.level_of([label])
        if level is None:
            raise BadParameter(
                f"the release has {label!r} in '{column.name}', which its hierarchy does not know; "
                f"give the one it was made with as --hierarchy {column.name}=FILE"
            )
        below = ladder.codes[level] == ladder.names[level].index(label)
        weights = whole[below] if whole[below].sum() else np.ones(int(below.sum()))
        table[level, below] += rows * weights / weights.sum()
    return table
