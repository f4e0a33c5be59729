"""Suppressed rows as a cost of its own: how few must go."""

from dataclasses import dataclass
from typing import ClassVar

from shoal.tables.appraisal.objective import SizeLoss, Sizes


@dataclass(frozen=True)
class SuppressedRows(SizeLoss):
    """How many rows are not released. Minimised to tell a user what would make a promise reachable."""

    name: ClassVar[str] = "suppressed-rows"

    def of_sizes(self, sizes: Sizes, suppressed: int) -> float:
        return float(suppressed)

    def at_least(self, sizes: Sizes, limit: int, smallest: int) -> float:
        return 0.0

    def when_doomed(self, doomed: float, rows: int, smallest: int) -> float:
        return doomed
