"""What a release did to the values of a table: the one structure that every loss reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.tables.hierarchies import Hierarchy

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Recoding:
    """Per quasi-identifier how many rows with each original leaf were released on each level, and how many
    were suppressed; and the sizes of the released classes.
    """

    ladders: tuple[Hierarchy, ...]
    released: tuple[Floats, ...]  # level × leaf
    suppressed: tuple[Floats, ...]  # leaf
    sizes: Ints
    rows: int

    @property
    def suppressed_rows(self) -> int:
        """Rows of the original that are not in the release."""
        return self.rows - int(self.sizes.sum())

    @property
    def leaf_counts(self) -> tuple[Floats, ...]:
        """Per column, how many original rows have each leaf."""
        return tuple(
            kept.sum(axis=0) + lost for kept, lost in zip(self.released, self.suppressed, strict=True)
        )


def full_domain(
    ladders: Sequence[Hierarchy],
    levels: Sequence[int],
    released: Sequence[Floats],
    suppressed: Sequence[Floats],
    sizes: Ints,
) -> Recoding:
    """The recoding of a release in which every column is on one level."""
    tables = []
    for ladder, level, counts in zip(ladders, levels, released, strict=True):
        table = np.zeros(ladder.codes.shape)
        table[level] = counts
        tables.append(table)
    rows = int(sizes.sum() + suppressed[0].sum())
    return Recoding(tuple(ladders), tuple(tables), tuple(suppressed), sizes, rows)
