"""How uncertain a class column is among rows that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.core.outcome import Json
from shoal.tables.appraisal.comparison import key_columns
from shoal.tables.appraisal.side_by_side import SideBySide


@dataclass(frozen=True)
class BeforeAfter:
    """A figure of the original and of its release."""

    original: float
    released: float

    def to_json(self) -> dict[str, Json]:
        return {"original": self.original, "released": self.released}


@dataclass(frozen=True)
class ClassEntropy(Measure[SideBySide, BeforeAfter]):
    """Bits still needed to tell the class of a row whose quasi-identifiers are known, before and after.

    0 when rows that look alike have one class, 1 bit for two classes half and half; a mean over rows.

    Shannon, "A mathematical theory of communication", 1948; Quinlan, "Induction of decision trees", 1986.
    """

    name: ClassVar[str] = "class-entropy"

    def measure(self, pair: SideBySide) -> BeforeAfter:
        return BeforeAfter(
            class_counts(pair.original, pair.quasi, pair.classed).bits,
            class_counts(pair.released, pair.quasi, pair.classed).bits,
        )


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """How often every class occurs in each group of rows that look alike: the pairs that occur."""

    rows: NDArray[np.float64]  # of the group that have the class
    group: NDArray[np.float64]  # of the group
    most: NDArray[np.float64]  # of the group that have its commonest class

    @property
    def bits(self) -> float:
        """The entropy of the class within its group, a mean over rows."""
        whole = self.rows.sum()
        return float((self.rows * np.log2(self.group / self.rows)).sum() / whole) if whole else 0.0

    @property
    def outvoted(self) -> float:
        """Rows whose class is not the commonest of their group."""
        # A group is there once per class, so that each of its rows brings its share of the group once; the
        # shares add up to whole rows.
        return float(np.rint((self.rows * (1 - self.most / self.group)).sum()))


def class_counts(frame: pl.DataFrame, columns: Sequence[str], class_column: str) -> ClassCounts:
    """The classes within the groups that some columns make; no columns make one group of all rows."""
    keys = key_columns([*(frame[column] for column in columns), frame[class_column]])
    by = keys.columns[:-1]
    counted = keys.group_by(keys.columns).agg(pl.len().cast(pl.Float64).alias("rows"))
    whole, most = pl.col("rows").sum(), pl.col("rows").max()
    found = counted.select(
        "rows",
        (whole.over(by) if by else whole).alias("group"),
        (most.over(by) if by else most).alias("most"),
    )
    return ClassCounts(*(found[name].to_numpy() for name in ("rows", "group", "most")))
