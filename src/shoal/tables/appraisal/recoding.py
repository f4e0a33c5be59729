"""What a release did to the values of a table: the one structure that every loss reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cover:
    """Labels of one column, whatever they look like: how many leaves each covers, how many original rows have
    one of those, and how high up the hierarchy it stands.
    """

    leaves: Floats
    under: Floats
    height: Floats


@dataclass(frozen=True, eq=False)
class ColumnRecoding:
    """One quasi-identifier: its labels with the rows released under each, and what became of each leaf."""

    hierarchy: Hierarchy
    labels: Cover
    rows: Floats  # per label
    released: Floats  # per leaf
    suppressed: Floats  # per leaf

    @property
    def leaf_counts(self) -> Floats:
        """How many original rows have each leaf."""
        return self.released + self.suppressed


@dataclass(frozen=True, eq=False)
class Recoding:
    """All quasi-identifiers of a release, and the sizes of its classes."""

    columns: tuple[ColumnRecoding, ...]
    sizes: Ints
    rows: int

    @property
    def suppressed_rows(self) -> int:
        """Rows of the original that are not in the release."""
        return self.rows - int(self.sizes.sum())


def on_level(hierarchy: Hierarchy, level: int, released: Floats, suppressed: Floats) -> ColumnRecoding:
    """A column of which every value went to one level."""
    codes, counts = hierarchy.codes[level], released + suppressed
    width = len(hierarchy.names[level])
    cover = Cover(
        leaves=np.bincount(codes, minlength=width).astype(np.float64),
        under=np.bincount(codes, weights=counts, minlength=width).astype(np.float64),
        height=np.full(width, float(level)),
    )
    rows = np.bincount(codes, weights=released, minlength=width).astype(np.float64)
    return ColumnRecoding(hierarchy, cover, rows, released, suppressed)


def over_stretches(
    order: LeafOrder,
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    rows: Floats,
    released: Floats,
    suppressed: Floats,
) -> ColumnRecoding:
    """A column whose labels cover stretches of the line of leaves; `rows` are released under each."""
    upto = np.concatenate(([0.0], np.cumsum((released + suppressed)[order.leaf_at])))
    cover = Cover(
        leaves=(last - first + 1).astype(np.float64),
        under=upto[last + 1] - upto[first],
        height=order.level_over(first, last).astype(np.float64),
    )
    return ColumnRecoding(order.hierarchy, cover, rows, released, suppressed)


def full_domain(
    hierarchies: Sequence[Hierarchy],
    levels: Sequence[int],
    released: Sequence[Floats],
    suppressed: Sequence[Floats],
    sizes: Ints,
) -> Recoding:
    """The recoding of a release in which every column is on one level."""
    columns = tuple(
        on_level(hierarchy, level, kept, lost)
        for hierarchy, level, kept, lost in zip(hierarchies, levels, released, suppressed, strict=True)
    )
    return Recoding(columns, sizes, int(sizes.sum() + suppressed[0].sum()))
