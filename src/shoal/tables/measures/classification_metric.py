"""How often the commonest class of a group is the wrong one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Measure
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.measures.class_entropy import class_counts


@dataclass(frozen=True)
class ClassificationMetric(Measure[SideBySide, float]):
    """The share of rows that are suppressed, or whose class is not the commonest among rows that look alike.

    0 when every class of the release has one value in the class column.

    Iyengar, "Transforming data to satisfy privacy constraints", 2002 (CM).
    """

    name: ClassVar[str] = "classification-metric"

    def measure(self, pair: SideBySide) -> float:
        wrong = class_counts(pair.released, pair.quasi, pair.classed).outvoted + pair.suppressed
        return wrong / (pair.released.height + pair.suppressed)
