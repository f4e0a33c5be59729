"""Non-uniform entropy: how many bits about the original values are gone."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.tables.appraisal.objective import CellLoss, ToldBy
from shoal.tables.appraisal.recoding import Cover, Floats, Ints
from shoal.tables.hierarchies import Hierarchy


@dataclass(frozen=True)
class Entropy(CellLoss):
    """Bits needed to get the original values back from the release, −log₂(rows with the value / rows with the
    label) summed over cells, as a share of the bits if every row were suppressed.

    De Waal & Willenborg 1999; Gionis & Tassa, "k-anonymization with minimal loss of information", 2009.
    """

    name: ClassVar[str] = "entropy"
    told_by: ClassVar[ToldBy] = "original"
    title: ClassVar[str] = "share of the bits lost"
    called: ClassVar[str] = "information lost"
    in_words: ClassVar[str] = "the same in bits, where rare values weigh more; 0 is untouched"

    def label(self, hierarchy: Hierarchy, cover: Cover) -> Floats:
        return _bits(cover.under)

    def lost(self, rows: float) -> float:
        return float(np.log2(rows))

    def leaf(self, counts: Floats | Ints) -> Floats:
        return _bits(counts)


def _bits(rows: Floats | Ints) -> Floats:
    return np.asarray(np.log2(np.maximum(rows, 1)))  # nobody has the value: nobody loses by it
