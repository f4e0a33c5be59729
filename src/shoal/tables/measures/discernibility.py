"""Discernibility."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.tables.appraisal.objective import SizeLoss, Sizes


@dataclass(frozen=True)
class Discernibility(SizeLoss):
    """Every row pays for the rows it cannot be told from: Σ size²; a suppressed row for the whole table.

    Bayardo & Agrawal, "Data privacy through optimal k-anonymization", 2005.
    """

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "discernibility"
    called: ClassVar[str] = "discernibility"
    in_words: ClassVar[str] = "how many rows each row cannot be told from, summed; fewer is finer"
    share: ClassVar[bool] = False

    def of_sizes(self, sizes: Sizes, suppressed: int) -> float:
        rows = int(sizes.sum()) + suppressed
        return float(np.square(sizes).sum() + rows * suppressed)

    def at_least(self, sizes: Sizes, limit: int, smallest: int) -> float:
        # Merging only adds to the squares, and suppressing a class of s rows costs rows·s ≥ s².
        return float(np.square(sizes).sum())

    def when_doomed(self, doomed: float, rows: int, smallest: int) -> float:
        return doomed * rows + (rows - doomed) * smallest
