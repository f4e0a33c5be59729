"""What happened between an original and its release, read from the two tables alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.recoding import ColumnRecoding, Floats, Recoding, full_domain, over_stretches
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Ints, count_values
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table


def recoding_between(
    original: Table,
    released: Table,
    hierarchies: Mapping[str, Hierarchy],
    told: Mapping[str, int] | None = None,
) -> Recoding:
    """How often each original value was released on each level, and how often suppressed.

    When every column is on one level, the suppressed rows are those whose class is not in the release, and
    the answer is exact. Else rows cannot be matched, and each label's rows are shared out over its leaves as
    the original has them; only the entropy depends on that. `told` are the levels that the manifest names:
    labels that stand on several levels do not say which one was meant. If it names none (told is empty),
    the method gave every label a height of its own, even where all could be on one level.
    """
    if released.rows > original.rows:
        raise BadParameter(
            f"the release has {released.rows:,} rows and its original {original.rows:,}; "
            "is --original really the table it was made from?"
        )
    chosen = [hierarchies[column] for column in released.quasi]
    sizes = Classes.of(released.with_roles(quasi=released.quasi)).sizes
    levels = [
        level_of(hierarchy, released.frame[column], (told or {}).get(column))
        for column, hierarchy in zip(released.quasi, chosen, strict=True)
    ]
    known = [level for level in levels if level is not None]
    if len(known) == len(levels) and (told is None or told):
        exact = _match_rows(original, released, known, chosen)
        if exact is not None:
            kept = [
                _leaf_counts(exact.frame[column], hierarchies[column], exact.weights)
                for column in released.quasi
            ]
            lost = [
                _leaf_counts(original.frame[column], hierarchies[column], original.weights) - counts
                for column, counts in zip(released.quasi, kept, strict=True)
            ]
            return full_domain(chosen, known, kept, lost, sizes)
    columns = tuple(
        _share_over_leaves(
            released.frame[column],
            hierarchy,
            _leaf_counts(original.frame[column], hierarchy, original.weights),
            released.weights,
        )
        for column, hierarchy in zip(released.quasi, chosen, strict=True)
    )
    return Recoding(columns, sizes, original.rows)


def level_of(hierarchy: Hierarchy, column: pl.Series, told: int | None = None) -> int | None:
    """The level whose labels a column holds: the one told, if it fits, else the lowest that does."""
    labels = texts(column).unique().to_list()
    if told is not None and 0 <= told <= hierarchy.height and set(labels) <= set(hierarchy.names[told]):
        return told
    return hierarchy.level_of(labels)


def generalise(column: pl.Series, hierarchy: Hierarchy, level: int) -> pl.Series:
    """A column with every value as its label on a level; what the hierarchy does not know stays as it is."""
    labels = [hierarchy.names[level][code] for code in hierarchy.codes[level]]
    return texts(column).replace(
        pl.Series(hierarchy.leaves, dtype=pl.String), pl.Series(labels, dtype=pl.String)
    )


def key_columns(columns: Iterable[pl.Series]) -> pl.DataFrame:
    """Columns to group or join by, under names of our own: one of the user's may be called like ours."""
    return pl.DataFrame([texts(column).alias(f"key{place}") for place, column in enumerate(columns)])


def refuse_lost_columns(table: Table, population: pl.DataFrame) -> None:
    """Refuse a population that lacks a quasi-identifier."""
    lost = [column for column in table.quasi if column not in population.columns]
    if lost:
        raise BadParameter(
            f"the population has no column '{lost[0]}'; it has {', '.join(population.columns)}"
        )


def in_population(table: Table, people: Iterable[pl.Series], cure: str = "") -> pl.DataFrame:
    """Per class its rows in the table (`released`) and in the population, which must contain the table.

    `people` are the quasi-identifiers of the population, written as the table writes them.
    """
    own, every = key_columns(table.frame[column] for column in table.quasi), key_columns(people)
    keys = own.columns
    both = (
        own.group_by(keys)
        .agg(pl.len().alias("released"))
        .join(every.group_by(keys).agg(pl.len().alias("population")), on=keys, how="left", nulls_equal=True)
    )
    absent = both.filter(pl.col("population").fill_null(0) < pl.col("released"))
    if absent.height:
        who = ", ".join(str(value) for value in absent.sort(keys).select(keys).row(0))
        raise BadParameter(
            f"the population does not contain the table: ({who}) has more rows in the table; "
            f"give the population that the table was drawn from{cure}"
        )
    return both


def _match_rows(
    original: Table, released: Table, levels: Sequence[int], hierarchies: Sequence[Hierarchy]
) -> Table | None:
    """The original rows that were released; None when the release is not such a recoding."""
    recoded = key_columns(
        generalise(original.frame[column], hierarchy, level)
        for column, hierarchy, level in zip(released.quasi, hierarchies, levels, strict=True)
    )
    classes = key_columns(released.frame[column] for column in released.quasi).unique()
    found = recoded.with_row_index("row").join(classes, on=classes.columns, how="semi", nulls_equal=True)
    matched = original.only(found["row"].to_numpy())
    return matched if matched.rows == released.rows else None


def _leaf_counts(column: pl.Series, hierarchy: Hierarchy, weights: Ints | None = None) -> Floats:
    counts = np.zeros(len(hierarchy.leaves))
    for value, rows in count_values(column, weights).iter_rows():
        if hierarchy.missing([value]):
            raise BadParameter(
                f"the hierarchy of '{column.name}' misses {value!r} of the original; add a line for it"
            )
        counts[hierarchy.position(value)] += rows
    return counts


def _share_over_leaves(
    column: pl.Series, hierarchy: Hierarchy, whole: Floats, weights: Ints | None
) -> ColumnRecoding:
    """Each label's rows over the leaves it covers, in proportion to the original."""
    order = LeafOrder.of(hierarchy)
    stretches, rows = [], []
    for label, count in count_values(column, weights).iter_rows():
        stretch = order.stretch_of(label)
        if stretch is None:
            raise BadParameter(
                f"the release has {label!r} in '{column.name}', which its hierarchy does not know; "
                f"give the one it was made with as --hierarchy {column.name}=FILE"
            )
        stretches.append(stretch)
        rows.append(float(count))
    released = np.zeros(len(whole))
    for (first, last), share in zip(stretches, rows, strict=True):
        leaves = order.leaf_at[first : last + 1]
        there = whole[leaves].sum()
        released[leaves] += share * (whole[leaves] / there if there else 1 / len(leaves))
    ends = np.array(stretches, np.int32)
    # A guess per leaf, and so less than nothing may seem suppressed of one; the totals are exact.
    return over_stretches(order, ends[:, 0], ends[:, 1], np.array(rows), released, whole - released)
