"""Leaf-based information loss."""

import math
from dataclasses import dataclass
from typing import ClassVar

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.appraisal.recoding import Cover, Floats, Recoding
from shoal.tables.hierarchies import Hierarchy


@dataclass(frozen=True)
class Loss(CellLoss):
    """How many leaves a released label could stand for: mean of (leaves covered − 1)/(leaves − 1) over cells.

    1 for a suppressed row. Leaves that do not occur in the data count too. `weights` are for columns that
    matter more than others, one for each quasi-identifier in their order; the mean over columns is weighted
    by them.

    Iyengar, "Transforming data to satisfy privacy constraints", 2002. The lectures divide by the number of
    leaves, so that `*` never reaches 1; one less is right, as in the paper.
    """

    name: ClassVar[str] = "loss"
    title: ClassVar[str] = "information lost"
    called: ClassVar[str] = "detail lost"
    in_words: ClassVar[str] = "0 is untouched, 1 is everything gone; suppressed rows count as gone"

    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for weight in self.weights:
            if not isinstance(weight, int | float) or not math.isfinite(weight) or weight < 0:
                raise BadParameter(f"a weight is a number from 0 on, not {weight!r}")
        if self.weights and not any(self.weights):
            raise BadParameter("all weights are 0; give at least one column some weight")

    def label(self, hierarchy: Hierarchy, cover: Cover) -> Floats:
        return (cover.leaves - 1) / max(len(hierarchy.leaves) - 1, 1)

    def lost(self, rows: float) -> float:
        return 1.0

    def weight_of(self, column: int) -> float:
        return self.weights[column] if self.weights else 1.0

    def measure(self, recoding: Recoding) -> float:
        """0 when nothing changed, 1 when everything is suppressed."""
        if self.weights and len(self.weights) != len(recoding.columns):
            raise BadParameter(
                f"there are {len(self.weights)} weights for {len(recoding.columns)} quasi-identifiers; "
                "give one for each, in their order"
            )
        return super().measure(recoding)
