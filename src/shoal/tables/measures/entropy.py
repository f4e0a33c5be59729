"""Non-uniform entropy: how many bits about the original values are gone."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.objective import CellLoss
from shoal.tables.recoding import Floats, Ints


@dataclass(frozen=True)
class Entropy(CellLoss):
    """Bits needed to get the original values back from the release, −log₂(rows with the value / rows with the
    label) summed over cells, as a share of the bits if every row were suppressed.

    De Waal & Willenborg 1999; Gionis & Tassa, "k-anonymization with minimal loss of information", 2009.
    """

    name: ClassVar[str] = "entropy"

    def released(self, ladder: Hierarchy, leaf_counts: Floats | Ints) -> Floats:
        counts = np.asarray(leaf_counts, np.float64)
        bits = np.zeros(ladder.codes.shape)
        seen = counts > 0
        for level, codes in enumerate(ladder.codes):
            together = np.bincount(codes, weights=counts)[codes]
            bits[level, seen] = np.log2(together[seen] / counts[seen])
        return bits

    def suppressed(self, ladder: Hierarchy, leaf_counts: Floats | Ints) -> Floats:
        return np.asarray(self.released(ladder, leaf_counts)[-1])
