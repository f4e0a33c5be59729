"""Precision: how far up the hierarchy values went."""

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Better
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.appraisal.recoding import Cover, Floats, Recoding
from shoal.tables.hierarchies import Hierarchy


@dataclass(frozen=True)
class Precision(CellLoss):
    """One minus the distortion: the height of a released cell over the height of its hierarchy, mean over
    cells.

    Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", 2002.
    """

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "precision"
    called: ClassVar[str] = "precision left"
    in_words: ClassVar[str] = "how far down its hierarchy a column stayed; 1 is untouched"
    better: ClassVar[Better] = "more"

    def label(self, hierarchy: Hierarchy, cover: Cover) -> Floats:
        return cover.height / hierarchy.height

    def lost(self, rows: float) -> float:
        return 1.0

    def measure(self, recoding: Recoding) -> float:
        """1 when nothing changed, 0 when everything is suppressed."""
        return 1 - super().measure(recoding)
