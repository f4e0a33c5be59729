"""How distinct the rows are on some columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter, BadTable


@dataclass(frozen=True)
class Distinction(Measure[pl.DataFrame, float]):
    """The number of distinct values of Q divided by the number of rows, from above 0 to 1.

    A set of columns with distinction α becomes a key once a fraction 1 - α of the rows is taken away.
    Motwani & Xu 2007, "Efficient algorithms for masking and finding quasi-identifiers".
    """

    name: ClassVar[str] = "distinction"

    columns: tuple[str, ...] = ()  # none for all

    def measure(self, frame: pl.DataFrame) -> float:
        """The distinction of these columns in a frame; a missing value is a value."""
        return len(class_sizes(frame, self.columns or tuple(frame.columns))) / frame.height


def class_sizes(frame: pl.DataFrame, columns: tuple[str, ...]) -> pl.Series:
    """How many rows share each distinct value of the columns, in no particular order."""
    if not columns:
        raise BadParameter("no column to measure; name at least one")
    for column in columns:
        if column not in frame.columns:
            raise BadParameter(f"no column '{column}'; the table has {', '.join(frame.columns)}")
    if not frame.height:
        raise BadTable("the table has a header but no rows; there is nothing to measure in it")
    # Own names for the keys: a column of the user's may be called like the count.
    keys = [pl.col(column).alias(f"key{i}") for i, column in enumerate(dict.fromkeys(columns))]
    return frame.group_by(keys).agg(pl.len().alias("rows"))["rows"]
