"""What an objective for a task must tell so that a search can minimise it, and what it may look at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Better, Mask, Measure
from shoal.tables.appraisal.recoding import Floats, Ints
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder

Int32 = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TaskRows:
    """A table as a task sees it: its distinct combinations of quasi-identifiers, and the rows behind them."""

    columns: tuple[str, ...]
    hierarchies: tuple[Hierarchy, ...]
    codes: Int32  # per combination and column the leaf
    sizes: Ints  # rows with each combination
    frame: pl.DataFrame
    of_row: Int32  # the combination of each row of the frame
    weights: Ints  # how many rows each row of the frame stands for
    unchanged: tuple[str, ...]  # columns that go out as they are

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self.sizes.sum())


@dataclass(frozen=True, eq=False)
class Stretches:
    """One column of a release that is being tried: the label of every combination, and what labels cover."""

    order: LeafOrder
    label: Int32  # per combination
    first: Int32  # per label
    last: Int32


class Task(ABC):
    """A task and one table: what releases of it cost.

    A release is told by the group of each combination (rows of a group look alike) and by which combinations
    go out.
    """

    better: ClassVar[Better] = "less"
    name: str

    @abstractmethod
    def at_levels(self, levels: Sequence[int], group: Int32, kept: Mask) -> float:
        """The cost when every column is on one level."""

    @abstractmethod
    def of_stretches(self, columns: Sequence[Stretches], group: Int32, kept: Mask) -> float:
        """The cost when labels are whatever they are."""

    def least(self, shape: Sequence[int], limit: int) -> Floats:
        """Per choice of levels a cost that no release there can beat with at most `limit` rows left out."""
        return np.zeros(tuple(shape))

    def above(self, group: Int32) -> float:
        """A cost that no release can beat whose groups are unions of these, whatever it leaves out."""
        return 0.0

    def when_doomed(self, doomed: float) -> float:
        """A cost that no release can beat when so many rows cannot go out."""
        return 0.0


class TaskLoss(Measure[SideBySide, float]):
    """How badly a release serves one task; a search can minimise it."""

    placed: ClassVar[str] = ""  # the parameter that may stand without its name, as in workload(FILE)

    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The columns that it looks at; others need not be there."""

    @abstractmethod
    def of_table(self, rows: TaskRows) -> Task:
        """The task on one table; refuses what the table does not have."""
