"""The rows of a release by what an outsider sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.cache import remembered
from shoal.core.deadline import check_time
from shoal.tables.appraisal.packed_columns import pack_columns
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RowClasses:
    """The class of every row, and of every class its labels and its size.

    Classes are those of `columns`, which need not be all quasi-identifiers: an attacker who knows fewer
    columns sees larger classes.
    """

    columns: tuple[str, ...]
    of_row: NDArray[np.int32]
    labels: pl.DataFrame  # one row per class: its label in each of the columns, as text
    sizes: Ints
    weights: Ints | None = None  # how many rows each row stands for, where the others stay in an engine

    @classmethod
    @remembered
    def of(cls, frame: pl.DataFrame, columns: Sequence[str]) -> RowClasses:
        """The classes of some columns of a frame."""
        check_time()
        # Without columns all rows look alike.
        nothing = np.zeros(frame.height, np.int64)
        keys = pack_columns([code(texts(frame[column]))[0] for column in columns] or [nothing])
        _, first, of_row, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        labels = pl.DataFrame([texts(frame[column]).gather(first) for column in columns])
        return cls(tuple(columns), of_row.astype(np.int32), labels, sizes.astype(np.int64))

    @classmethod
    def of_table(cls, table: Table, columns: Sequence[str]) -> RowClasses:
        """The classes of some columns of a table; distinct rows count for all that they stand for."""
        found = cls.of(table.frame, columns)
        if table.weights is None:
            return found
        sizes = np.bincount(found.of_row, table.weights, len(found)).astype(np.int64)
        return replace(found, sizes=sizes, weights=table.weights)

    def __len__(self) -> int:
        return len(self.sizes)

    def values(self, column: pl.Series, domain: Domain) -> ValueCounts:
        """How often each value of a domain occurs in each class; `column` has a value for every row."""
        check_time()
        place = {value: code for code, value in enumerate(domain.values)}
        kinds = texts(column).unique()
        codes = texts(column).replace_strict(
            kinds,
            pl.Series([place[value] for value in kinds.to_list()], dtype=pl.Int64),
            return_dtype=pl.Int64,
        )
        keys = self.of_row.astype(np.int64) * len(place) + codes.to_numpy()
        pairs, owner, counts = np.unique(keys, return_inverse=True, return_counts=True)
        if self.weights is not None:
            counts = np.bincount(owner, self.weights, len(pairs))
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(np.bincount(pairs // len(place), minlength=len(self)), out=offsets[1:])
        return ValueCounts(domain, offsets, (pairs % len(place)).astype(np.int32), counts.astype(np.int64))

    @cached_property
    def first_row(self) -> Ints:
        """The first row of each class: the only one where the class is of one row."""
        first = np.full(len(self), len(self.of_row), np.int64)
        np.minimum.at(first, self.of_row, np.arange(len(self.of_row)))
        return first

    def rows_of(self, number: int) -> Ints:
        """The rows of one class."""
        return np.flatnonzero(self.of_row == number)


def code(column: pl.Series) -> tuple[Ints, pl.Series]:
    """A column of texts as numbers, and the texts they stand for: distinct and in order."""
    kinds = column.unique().sort()
    codes = column.replace_strict(kinds, np.arange(len(kinds), dtype=np.int64), return_dtype=pl.Int64)
    return codes.to_numpy().astype(np.int64), kinds
