"""Confidence bounding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.frequency_bound import Bound
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.share_limits import among, limits, surplus, within


@dataclass(frozen=True)
class ConfidenceBounding(ClassModel[Classes]):
    """No listed sensitive value can be inferred in any class with a confidence above h.

    `values` are the ones to protect; without a list all are.

    Wang, Fung, Yu, "Handicapping attacker's confidence: an alternative to k-anonymization", 2007.
    """

    name: ClassVar[str] = "confidence-bounding"
    example: ClassVar[str] = "h=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "h": "how sure a guess may be, as a share: 0.4 is 40 %",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage",)
    question: ClassVar[str] = "May no secret be guessed with more than, say, 40 % in any group?"
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"
    lower_is_better: ClassVar[bool] = True

    h: float
    values: tuple[str, ...] = ()
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.h <= 1:
            raise BadParameter(
                f"{self.name} needs h as a share between 0 and 1, not {self.h:g}; for 50 % write h=0.5"
            )

    @property
    def named_values(self) -> Mapping[str, Sequence[str]]:
        return {"values": self.values}

    def in_words(self) -> str:
        return (
            f"From a group nobody can infer a guarded value of {self.column or EACH} and be right more often "
            f"than {per_cent(self.h)} of the time."
        )

    @property
    def bound(self) -> Bound | None:
        return Bound("share", self.h, self.values)

    def level(self, classes: Classes) -> float:
        worst = 0.0
        for counts in classes.about(self.column, self.name):
            listed = among(counts, self.values or counts.domain.values)
            worst = max(worst, float(counts.shares[listed].max(initial=0.0)))
        return worst

    def holds(self, classes: Classes) -> Mask:
        holds: Mask = np.logical_and.reduce(
            [
                within(counts, limits(counts, self.h, self.values))
                for counts in classes.about(self.column, self.name)
            ]
        )
        return holds

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        lost: NDArray[np.float64] = np.maximum.reduce(
            [
                surplus(counts, limits(counts, self.h, self.values))
                for counts in classes.about(self.column, self.name)
            ]
        )
        return lost
