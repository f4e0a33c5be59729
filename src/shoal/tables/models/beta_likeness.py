"""β-likeness."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.share_limits import surplus, within

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BetaLikeness(ClassModel[Classes]):
    """No sensitive value is more frequent in a class than in the whole table by more than a factor 1 + beta.

    With shares p in the table and q in the class: (q - p) / p ≤ beta wherever q > p. The whole table is the
    one before suppression. Unlike t-closeness this protects rare values as much as common ones.

    Cao, Karras, "Publishing microdata with a robust privacy guarantee" (basic β-likeness), 2012.
    """

    name: ClassVar[str] = "beta-likeness"
    example: ClassVar[str] = "beta=1"
    asks: ClassVar[Mapping[str, str]] = {
        "beta": "how much more frequent a value may be in a group than in the table: 1 is twice",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage", "probabilistic")
    question: ClassVar[str] = "May nobody become much surer of any value than before?"
    reads: ClassVar[Reads] = "distribution"
    scope: ClassVar[Scope] = "class"
    lower_is_better: ClassVar[bool] = True

    beta: float
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.beta < np.inf:
            raise BadParameter(f"{self.name} needs a beta above 0, not {self.beta:g}; 1 to 4 is common")

    def in_words(self) -> str:
        return (
            f"No value of {self.column or EACH} is more than {1 + self.beta:g} times as frequent in a group "
            "as in the whole table."
        )

    def level(self, classes: Classes) -> float:
        gains = []
        for counts in classes.about(self.column, self.name):
            with np.errstate(divide="ignore"):
                gains.append((counts.shares / _whole(counts) - 1).max(initial=0.0))
        return float(max(gains))

    def holds(self, classes: Classes) -> Mask:
        about = classes.about(self.column, self.name)
        holds: Mask = np.logical_and.reduce([within(counts, self._limits(counts)) for counts in about])
        return holds

    def doomed(self, classes: Classes) -> Floats:
        about = classes.about(self.column, self.name)
        lost: Floats = np.maximum.reduce([surplus(counts, self._limits(counts)) for counts in about])
        return lost

    def _limits(self, counts: ValueCounts) -> Floats:
        return (1 + self.beta) * _whole(counts)


def _whole(counts: ValueCounts) -> Floats:
    """Per count, the share of its value in the whole table."""
    totals = counts.domain.totals
    return np.asarray((totals / totals.sum())[counts.values])
