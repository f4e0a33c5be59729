"""Columns as numbers, and several of them packed into one number per row.

What counts the classes of many combinations of columns reads this; a missing value is a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.tables.model_inputs.text_values import texts

Ints = NDArray[np.int64]

LARGEST = 1 << 62  # keys stay below, so that one more column cannot turn them negative unseen
DENSE = 4  # a direct table of so many cells per row is faster than sorting


def code_values(column: pl.Series) -> Ints:
    """A number for each row, the same where the values are; the missing value has the highest."""
    # A private set of categories, because Polars would keep a shared one for the life of the process.
    numbered = texts(column).cast(pl.Categorical(pl.Categories.random())).to_physical().cast(pl.Int64)
    highest = numbered.max()
    return numbered.fill_null(highest + 1 if isinstance(highest, int) else 0).to_numpy()


def pack_columns(columns: Sequence[NDArray[np.integer]]) -> Ints:
    """One number per row that differs where the columns differ, in the order of the columns."""
    key, space = columns[0].astype(np.int64), _width(columns[0])
    for codes in columns[1:]:
        width = _width(codes)
        if space > LARGEST // width:  # does not fit: number the values that occur
            found, key = np.unique(key, return_inverse=True)
            key, space = key.astype(np.int64), len(found)
        key, space = key * width + codes, space * width
    return key


def class_sizes(key: Ints, rows: Ints | None = None) -> Ints:
    """How many rows share each number, in the order of the numbers; `rows` is how many each entry is for."""
    if _width(key) <= DENSE * len(key):
        counted = np.bincount(key, weights=rows)
        return counted[counted > 0].astype(np.int64)
    if rows is None:
        ordered = np.sort(key)
        return np.diff(_edges(ordered), append=len(key))
    order = np.argsort(key, kind="stable")
    return np.add.reduceat(rows[order], _edges(key[order]))


def alone(key: Ints, rows: Ints) -> NDArray[np.bool_]:
    """Which entries stand for one row and share their number with no other."""
    if _width(key) <= DENSE * len(key):
        counted = np.bincount(key, weights=rows)
        return np.asarray(counted[key] == 1)
    order = np.argsort(key)
    edges = _edges(key[order])
    single = order[edges[np.diff(edges, append=len(key)) == 1]]
    found = np.zeros(len(key), np.bool_)
    found[single] = rows[single] == 1
    return found


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The distinct rows of some columns as numbers, and how often each occurs.

    Classes of any of the columns are counted over these, which are fewer than the rows of a release.
    """

    columns: tuple[str, ...]
    codes: tuple[Ints, ...]
    rows: Ints
    memo: dict[tuple[int, ...], int] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, frame: pl.DataFrame, columns: Sequence[str], weights: Ints | None = None) -> CodedRows:
        """The distinct rows of a frame by some of its columns; `weights` is how many each row stands for."""
        codes = [code_values(frame[column]) for column in columns]
        _, first, owner, rows = np.unique(
            pack_columns(codes), return_index=True, return_inverse=True, return_counts=True
        )
        if weights is not None:
            rows = np.bincount(owner, weights, len(first))
        return cls(tuple(columns), tuple(column[first] for column in codes), rows.astype(np.int64))

    @property
    def height(self) -> int:
        """How many rows there are, repeated ones included."""
        return int(self.rows.sum())

    def __len__(self) -> int:
        return len(self.rows)

    def sizes(self, chosen: tuple[int, ...]) -> Ints:
        """The class sizes by the columns at these places; by none, one class of all rows."""
        if not chosen:
            return np.array([self.height])
        each_once = len(self) == self.height
        key = pack_columns([self.codes[place] for place in chosen])
        found = class_sizes(key, None if each_once else self.rows)
        self.memo[chosen] = len(found)
        return found

    def classes(self, chosen: tuple[int, ...]) -> int:
        """How many classes there are by the columns at these places; counted once."""
        return self.memo[chosen] if chosen in self.memo else len(self.sizes(chosen))

    def alone(self, chosen: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which of the distinct rows are of one person whom these columns alone single out."""
        return alone(pack_columns([self.codes[place] for place in chosen]), self.rows)


def _width(codes: NDArray[np.integer]) -> int:
    return int(codes.max(initial=0)) + 1


def _edges(ordered: Ints) -> Ints:
    """Where a new number begins."""
    return np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
