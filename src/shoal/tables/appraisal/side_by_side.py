"""An original and its release side by side: the labels of the one as stretches of values of the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import Label, texts

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """One column of one table: which label every row has, and the stretch of the line that each covers."""

    line: LeafOrder
    first: Codes  # per label
    last: Codes
    codes: Codes  # per row

    @cached_property
    def width(self) -> NDArray[np.int64]:
        """How many leaves each label covers."""
        return self.last.astype(np.int64) - self.first + 1


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The rows a release was made from, and the rows it has; rows cannot be matched, and need not be.

    `hierarchies` lead from the original's values to the labels of the release, one for every
    quasi-identifier. What a label may stand for is spread evenly over the leaves it covers: the reader of a
    release knows no better. Columns that are no quasi-identifiers are compared value by value.
    """

    original: pl.DataFrame
    released: pl.DataFrame
    quasi: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy]
    sensitive: tuple[str, ...] = ()
    class_column: str | None = None
    _lines: dict[str, LeafOrder] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.quasi:
            raise BadParameter("no quasi-identifier to compare by; name the columns with --quasi")
        wanted = [*self.quasi, *self.sensitive, *([self.class_column] if self.class_column else [])]
        for name, frame in (("original", self.original), ("release", self.released)):
            lost = [column for column in wanted if column not in frame.columns]
            if lost:
                raise BadParameter(f"the {name} has no column '{lost[0]}'; it has {', '.join(frame.columns)}")
        unread = [column for column in self.quasi if column not in self.hierarchies]
        if unread:
            raise BadParameter(
                f"no hierarchy for '{unread[0]}', so its labels cannot be read; give the one the release was "
                f"made with as --hierarchy {unread[0]}=FILE"
            )
        if self.class_column in self.quasi:
            raise BadParameter(
                f"the class column '{self.class_column}' is a quasi-identifier, which a release coarsens; "
                "name a column that it keeps as it is"
            )

    @property
    def suppressed(self) -> int:
        """Rows of the original that the release does not have."""
        return max(self.original.height - self.released.height, 0)

    @property
    def classed(self) -> str:
        """The class column, which must be named."""
        if self.class_column is None:
            raise BadParameter("no class column named; give --class-column, what people would predict")
        return self.class_column

    def line(self, column: str) -> LeafOrder:
        """The values of a column in a line: the leaves of its hierarchy, or all values that either table
        has.
        """
        if column not in self._lines:
            hierarchy = self.hierarchies.get(column) if column in self.quasi else None
            if hierarchy is None:
                both = (texts(self.original[column]), texts(self.released[column]))
                values = pl.concat([side.unique() for side in both]).unique().sort()
                hierarchy = Hierarchy.of_levels([values.to_list()])
            self._lines[column] = LeafOrder.of(hierarchy)
        return self._lines[column]

    def before(self, column: str) -> LabelColumn:
        """A column of the original."""
        return self._read(self.original[column], column, "original")

    def after(self, column: str) -> LabelColumn:
        """A column of the release."""
        return self._read(self.released[column], column, "release")

    def _read(self, series: pl.Series, column: str, side: str) -> LabelColumn:
        line = self.line(column)
        values = texts(series)
        kinds = values.unique().sort()
        stretches = [_stretch(line, label, column, side) for label in kinds.to_list()]
        ends = np.array(stretches, np.int32).reshape(-1, 2)
        codes = values.replace_strict(kinds, np.arange(len(kinds), dtype=np.int32), return_dtype=pl.Int32)
        return LabelColumn(line, ends[:, 0], ends[:, 1], codes.to_numpy().astype(np.int32))


def _stretch(line: LeafOrder, label: Label, column: str, side: str) -> tuple[int, int]:
    found = line.stretch_of(label)
    if found is None:
        raise BadParameter(
            f"the {side} has {label!r} in '{column}', which its hierarchy does not know; "
            f"give the one the release was made with as --hierarchy {column}=FILE"
        )
    return found
