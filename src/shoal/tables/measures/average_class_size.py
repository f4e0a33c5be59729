"""Average class size."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.tables.appraisal.objective import SizeLoss, Sizes


@dataclass(frozen=True)
class AverageClassSize(SizeLoss):
    """Released rows per class, in units of k (1 when no k is asked for): 1 is as fine as k allows.

    LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", 2006 (C_AVG).
    """

    name: ClassVar[str] = "average-class-size"
    title: ClassVar[str] = "average class size, in units of k"
    called: ClassVar[str] = "average group size"
    in_words: ClassVar[str] = "in multiples of the size promised; 1 is as fine as it gets"
    share: ClassVar[bool] = False

    k: int = 1

    def of_sizes(self, sizes: Sizes, suppressed: int) -> float:
        return float(sizes.sum() / len(sizes) / self.k) if len(sizes) else float("inf")

    def at_least(self, sizes: Sizes, limit: int, smallest: int) -> float:
        # A class of a coarser node contains a class that is large enough already, or is put together from
        # small ones and takes `smallest` rows or more of them.
        large = sizes >= smallest
        most = int(np.count_nonzero(large)) + int(sizes[~large].sum()) // smallest
        released = int(sizes.sum()) - limit
        return released / max(most, 1) / self.k

    def when_doomed(self, doomed: float, rows: int, smallest: int) -> float:
        return 0.0  # fewer rows in fewer classes may well be finer
