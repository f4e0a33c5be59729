"""Leaf-based information loss."""

from dataclasses import dataclass
from typing import ClassVar

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.objective import CellLoss
from shoal.tables.recoding import Cover, Floats


@dataclass(frozen=True)
class Loss(CellLoss):
    """How many leaves a released label could stand for: mean of (leaves covered − 1)/(leaves − 1) over cells.

    1 for a suppressed row. Leaves that do not occur in the data count too.

    Iyengar, "Transforming data to satisfy privacy constraints", 2002. The lectures divide by the number of
    leaves, so that `*` never reaches 1; one less is right, as in the paper.
    """

    name: ClassVar[str] = "loss"

    def label(self, ladder: Hierarchy, cover: Cover) -> Floats:
        return (cover.leaves - 1) / max(len(ladder.leaves) - 1, 1)

    def lost(self, rows: float) -> float:
        return 1.0
