"""Precision: how far up the ladder values went."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.objective import CellLoss
from shoal.tables.recoding import Floats, Ints


@dataclass(frozen=True)
class Distortion(CellLoss):
    """Height of a released cell over the height of its ladder, mean over cells; precision is 1 minus this.

    Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", 2002.
    """

    name: ClassVar[str] = "precision"

    def released(self, ladder: Hierarchy, leaf_counts: Floats | Ints) -> Floats:
        return np.repeat(np.arange(ladder.height + 1)[:, None] / ladder.height, len(leaf_counts), axis=1)

    def suppressed(self, ladder: Hierarchy, leaf_counts: Floats | Ints) -> Floats:
        return np.ones(len(ladder.leaves))
