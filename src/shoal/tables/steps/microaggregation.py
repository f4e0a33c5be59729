"""Numbers replaced by the middle of their group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.number_columns import Numbers
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.table import Table

Aggregate = Literal["mean", "median"]
Float64 = NDArray[np.float64]


@dataclass(frozen=True)
class Microaggregation(Step[Table]):
    """Numbers are replaced by the mean or median of a group of k to 2k - 1 rows that lie close together.

    Groups are made by MDAV on standardised distances. Every combination of the columns then occurs at least
    k times: when they are the quasi-identifiers, that is k-anonymity. Numbers are rounded as the column
    writes them, or to `digits`. Rows that lack a value are grouped with rows that lack the same ones; fewer
    than k of a sort lose these columns' values altogether. Time grows with the square of the rows.

    Domingo-Ferrer and Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure
    control", 2002; Domingo-Ferrer and Torra, "Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation", 2005.
    """

    name: ClassVar[str] = "microaggregation"
    example: ClassVar[str] = "columns=age"
    remark: ClassVar[str] = "groups hide who is who, not what all rows of a group have in common"
    chance: ClassVar[str] = "numbers are those of a group, not of a person"

    mixes: ClassVar[bool] = True  # what a row shows has values of other rows in it

    columns: tuple[str, ...]
    k: int = 5
    aggregate: Aggregate = "mean"
    digits: int | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            raise BadParameter("microaggregation needs columns; write microaggregation(columns=age|income)")
        if len(set(self.columns)) < len(self.columns):
            raise BadParameter(f"microaggregation names a column twice in {'|'.join(self.columns)}")
        if self.k < 2:
            raise BadParameter(f"microaggregation(k={self.k}) groups nobody with anybody; give 2 or more")
        if self.aggregate not in get_args(Aggregate):
            raise BadParameter(f"microaggregation has no aggregate '{self.aggregate}'; it has mean, median")
        if self.digits is not None and not 0 <= self.digits <= 12:
            raise BadParameter(f"microaggregation(digits={self.digits}) is not between 0 and 12")

    @property
    def changes(self) -> tuple[str, ...]:
        return self.columns

    def apply(self, table: Table, chance: np.random.Generator) -> Table:
        """The table with the columns aggregated; nothing in it is left to chance."""
        numbers = [Numbers.of(table, column, self.name) for column in self.columns]
        values = np.column_stack([one.values for one in numbers])
        order = _order_of_its_own(table, values)
        sorted_values = values[order]
        grouped = np.full_like(values, np.nan)
        for rows, columns in self._strata(sorted_values):
            grouped[np.ix_(rows, columns)] = self._aggregated(sorted_values[np.ix_(rows, columns)])
        found = np.empty_like(values)
        found[order] = grouped
        made = [one.written(found[:, c], self.digits) for c, one in enumerate(numbers)]
        return table.with_frame(table.frame.with_columns(made))

    def _strata(self, values: Float64) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Rows that lack the same columns, with the columns they have; too few of a sort are left out."""
        if 0 < len(values) < self.k:
            raise BadParameter(
                f"the table has {len(values):,} rows, fewer than k={self.k} to group; give a smaller k"
            )
        sorts, sort_of = np.unique(np.isnan(values), axis=0, return_inverse=True)
        sizes = np.bincount(sort_of.ravel(), minlength=len(sorts))
        kept = sizes >= self.k
        empty = sizes[~kept | sorts.all(axis=1)].sum()
        if 0 < empty < self.k:
            raise BadParameter(
                f"{empty} rows lack values of {', '.join(self.columns)} that the others have, fewer than "
                f"k={self.k}; complete them or leave them out"
            )
        return [
            (np.flatnonzero(sort_of.ravel() == sort), np.flatnonzero(~sorts[sort]))
            for sort in np.flatnonzero(kept & ~sorts.all(axis=1))
        ]

    def _aggregated(self, values: Float64) -> Float64:
        spread = values.std(axis=0)
        points = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        group = kernels.mdav(np.ascontiguousarray(points), self.k)
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group)
        ends = np.cumsum(sizes)
        if self.aggregate == "mean":
            middle = np.add.reduceat(values[order], ends - sizes) / sizes[:, None]
        else:
            middle = np.array([np.median(part, axis=0) for part in np.split(values[order], ends[:-1])])
        return middle[group]


def _order_of_its_own(table: Table, values: Float64) -> NDArray[np.int64]:
    """By value, and where values are equal by a hash of the row.

    Rows with equal values may end in different groups. Taken as they came, the groups would show the order of
    the rows; by another column they would sort people by what they have.
    """
    told = [name for name in table.columns if name not in table.identifier]
    hashes = table.frame.select(told).hash_rows(seed=1).to_numpy()
    return np.lexsort((hashes, *values.T[::-1]))
