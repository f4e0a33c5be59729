"""What a loss must tell so that a search can minimise it, and nothing more.

A *cell* loss is a sum over cells that depends on the value and its level; a *size* loss reads only the sizes
of the released classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.recoding import Floats, Ints, Recoding

Sizes = NDArray[np.int64]


class CellLoss(ABC):
    """The cost of all cells as a share of the cost if every row were suppressed."""

    name: ClassVar[str]

    @abstractmethod
    def released(self, ladder: Hierarchy, leaf_counts: Floats | Ints) -> Floats:
        """The cost of one released cell, per level and leaf; never falls from a level to the next."""

    @abstractmethod
    def suppressed(self, ladder: Hierarchy, leaf_counts: Floats | Ints) -> Floats:
        """The cost of the cell of a suppressed row, per leaf; never below that of a released one.

        What suppression costs beyond release must be alike for all leaves that share a label.
        """

    def measure(self, recoding: Recoding) -> float:
        """The share lost: 0 when nothing changed, 1 when everything is suppressed."""
        cost = worst = 0.0
        for ladder, kept, lost, counts in zip(
            recoding.ladders, recoding.released, recoding.suppressed, recoding.leaf_counts, strict=True
        ):
            if_lost = self.suppressed(ladder, counts)
            cost += float((kept * self.released(ladder, counts)).sum() + (lost * if_lost).sum())
            worst += float((counts * if_lost).sum())
        return cost / worst if worst else 0.0


class SizeLoss(ABC):
    """A cost that depends on class sizes alone."""

    name: ClassVar[str]

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


Objective = CellLoss | SizeLoss
