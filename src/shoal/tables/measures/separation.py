"""How many pairs of rows some columns tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.core.contract import Measure
from shoal.tables.measures.distinction import class_sizes


@dataclass(frozen=True)
class Separation(Measure[pl.DataFrame, float]):
    """The fraction of the row pairs that differ on at least one column of Q, from 0 to 1.

    A table of one row has no pairs; its separation is 0, because nothing is told apart.
    Motwani & Xu 2007, "Efficient algorithms for masking and finding quasi-identifiers".
    """

    name: ClassVar[str] = "separation"

    columns: tuple[str, ...] = ()  # none for all

    def measure(self, frame: pl.DataFrame) -> float:
        """The separation by these columns in a frame; a missing value is a value."""
        sizes = class_sizes(frame, self.columns or tuple(frame.columns)).cast(pl.Int64)
        return separated_share(frame.height, int((sizes * (sizes - 1)).sum()))


def separated_share(rows: int, alike: int) -> float:
    """The share of pairs told apart, given the ordered pairs that are alike: Σ size × (size - 1)."""
    pairs = rows * (rows - 1)
    # Whole numbers until the one division, so the last digit is right for any number of rows.
    return (pairs - alike) / pairs if pairs else 0.0
