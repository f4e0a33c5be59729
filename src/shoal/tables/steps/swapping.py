"""Values exchanged between rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.number_columns import Numbers, column_of
from shoal.tables.table import Table


@dataclass(frozen=True)
class Swapping(Step[Table]):
    """A share of the rows exchange their value of a column in pairs, so that its distribution stays exact.

    With `within`, partners agree on those columns, and every distribution of the column given them is exact
    too. With `rank`, the column is a number and partners lie at most that share of the rows apart in its
    order. Ranks are cut at a random place into blocks as long as the limit and partners drawn inside a block,
    so that nobody is left over for want of a free partner.

    Dalenius and Reiss, "Data-swapping: a technique for disclosure control", 1982;
    Moore, "Controlled data-swapping techniques for masking public use microdata sets", 1996.
    """

    name: ClassVar[str] = "swapping"
    example: ClassVar[str] = "column=age"
    remark: ClassVar[str] = "the rows that were not drawn still tell the truth"
    chance: ClassVar[str] = "some people have each other's values"

    column: str
    share: float = 0.05
    within: tuple[str, ...] = ()
    rank: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadParameter(f"swapping(share={self.share:g}) is not above 0 and up to 1; try 0.05")
        if self.rank is not None and not 0 < self.rank <= 1:
            raise BadParameter(f"swapping(rank={self.rank:g}) is not above 0 and up to 1; try 0.05")
        if self.column in self.within:
            raise BadParameter(f"swapping '{self.column}' within itself changes nothing; leave it out there")

    @property
    def changes(self) -> tuple[str, ...]:
        return (self.column,)

    def apply(self, table: Table, chance: np.random.Generator) -> Table:
        """The table with some values of the column exchanged."""
        series = column_of(table, self.column, self.name)
        group = self._groups(table)
        block = np.zeros(table.rows, np.int64)
        rows = np.arange(table.rows)
        if self.rank is not None:
            numbers = Numbers.of(table, self.column, self.name)
            rows = np.flatnonzero(numbers.known)  # a missing value has no rank, and stays
            block = _blocks(group, numbers.values, rows, self.rank, chance)
        rows = rows[np.lexsort((chance.random(len(rows)), block[rows], group[rows]))]
        left, right = _pairs(rows, group, block)
        chosen = chance.permutation(len(left))[: max(1, round(self.share * table.rows / 2))]
        source = np.arange(table.rows)
        source[left[chosen]], source[right[chosen]] = right[chosen], left[chosen]
        return table.with_frame(table.frame.with_columns(series.gather(source)))

    def _groups(self, table: Table) -> NDArray[np.int64]:
        for column in self.within:
            column_of(table, column, self.name)
        if not self.within:
            return np.zeros(table.rows, np.int64)
        key = pl.struct(pl.col(column) for column in self.within)
        return table.frame.select(key.rank("dense").alias("g"))["g"].to_numpy().astype(np.int64)


def _blocks(
    group: NDArray[np.int64],
    values: NDArray[np.float64],
    rows: NDArray[np.int64],
    rank: float,
    chance: np.random.Generator,
) -> NDArray[np.int64]:
    """Per row the stretch of ranks it is in; two rows of one lie at most `rank` of their group apart."""
    block = np.zeros(len(group), np.int64)
    ordered = rows[np.lexsort((chance.random(len(rows)), values[rows], group[rows]))]
    _, starts, sizes = np.unique(group[ordered], return_index=True, return_counts=True)
    lengths = np.maximum(1, np.floor(rank * sizes)).astype(np.int64) + 1
    place = np.arange(len(ordered)) - np.repeat(starts, sizes)
    offset = np.floor(chance.random(len(sizes)) * lengths).astype(np.int64)
    block[ordered] = (place + np.repeat(offset, sizes)) // np.repeat(lengths, sizes)
    return block


def _pairs(
    rows: NDArray[np.int64], group: NDArray[np.int64], block: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Neighbours of the same group and block, two by two from the first of each."""
    if not len(rows):
        return rows, rows
    new = np.append(True, (np.diff(group[rows]) != 0) | (np.diff(block[rows]) != 0))
    first = np.maximum.accumulate(np.where(new, np.arange(len(rows)), 0))
    even = (np.arange(len(rows)) - first) % 2 == 0
    begins = np.flatnonzero(even[:-1] & ~new[1:])
    return rows[begins], rows[begins + 1]
