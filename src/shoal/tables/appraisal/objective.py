"""What a loss must tell so that a search can minimise it, and nothing more.

A *cell* loss is a sum over cells that depends on the value and its level; a *size* loss reads only the sizes
of the released classes; a *task* (`task.py`) knows what the rows of one table are wanted for.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.tables.appraisal.recoding import Cover, Floats, Ints, Recoding
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.hierarchies import Hierarchy

Sizes = NDArray[np.int64]
# What a reader needs besides the release to compute it: nothing, the hierarchies, or the original rows.
ToldBy = Literal["sizes", "hierarchies", "original"]


class CellLoss(Measure[Recoding, float]):
    """The cost of all cells as a share of the cost if every row were suppressed.

    A cell costs what its label costs, less what its original value is worth by itself.
    """

    told_by: ClassVar[ToldBy] = "hierarchies"

    @abstractmethod
    def label(self, hierarchy: Hierarchy, cover: Cover) -> Floats:
        """The cost of one cell with each label; never less for a label that covers more."""

    @abstractmethod
    def lost(self, rows: float) -> float:
        """The cost of one cell of a suppressed row, never less than that of a label."""

    def weight_of(self, column: int) -> float:
        """What the cells of a quasi-identifier count, by its place."""
        return 1.0

    def leaf(self, counts: Floats | Ints) -> Floats:
        """What a cell is worth by its original value, given how many rows have each."""
        return np.zeros(len(counts))

    def released(self, hierarchy: Hierarchy, counts: Floats | Ints) -> Floats:
        """The cost of a released cell, per level and leaf."""
        worth, costs = self.leaf(counts), np.empty(hierarchy.codes.shape)
        for level, codes in enumerate(hierarchy.codes):
            under = np.bincount(codes, weights=counts).astype(np.float64)
            cover = Cover(np.bincount(codes).astype(np.float64), under, np.full(len(under), float(level)))
            costs[level] = self.label(hierarchy, cover)[codes] - worth
        return costs

    def suppressed(self, counts: Floats | Ints) -> Floats:
        """The cost of the cell of a suppressed row, per leaf."""
        return self.lost(float(counts.sum())) - self.leaf(counts)

    def measure(self, recoding: Recoding) -> float:
        """The share lost: 0 when nothing changed, 1 when everything is suppressed."""
        cost = worst = 0.0
        for place, column in enumerate(recoding.columns):
            counts, weight = column.leaf_counts, self.weight_of(place)
            if_lost = self.suppressed(counts)
            labels = float((column.rows * self.label(column.hierarchy, column.labels)).sum())
            others = float((column.suppressed * if_lost).sum() - (column.released * self.leaf(counts)).sum())
            cost += weight * (labels + others)
            worst += weight * float((counts * if_lost).sum())
        return cost / worst if worst else 0.0


class SizeLoss(Measure[Recoding, float]):
    """A cost that depends on class sizes alone."""

    told_by: ClassVar[ToldBy] = "sizes"

    @abstractmethod
    def of_sizes(self, sizes: Sizes, suppressed: int) -> float:
        """The cost when classes of these sizes are released and so many rows are suppressed."""

    @abstractmethod
    def at_least(self, sizes: Sizes, limit: int, smallest: int) -> float:
        """A cost that no coarsening of these classes can beat, with at most `limit` rows suppressed and
        every released class holding `smallest` rows or more.
        """

    @abstractmethod
    def when_doomed(self, doomed: float, rows: int, smallest: int) -> float:
        """A cost that no release of so many rows can beat when so many of them cannot be released."""

    def measure(self, recoding: Recoding) -> float:
        """The cost of a release."""
        return self.of_sizes(recoding.sizes, recoding.suppressed_rows)


Objective = CellLoss | SizeLoss | Task
