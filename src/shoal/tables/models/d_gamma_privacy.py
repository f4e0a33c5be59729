"""(d,γ)-privacy of a released table."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes

ROUNDING = 1e-12


@dataclass(frozen=True)
class DGammaPrivacy(ClassModel[Classes]):
    """Anyone who believed in a record with probability at most d believes in it with at most γ afterwards.

    Nor does the probability fall below d/γ of what it was. For attackers who believe that records come
    independently of each other. A property of the method: one whose releases are at most A times as likely
    with a record as without it turns odds o into at most A·o, which keeps d below γ when A ≤ γ/d. It holds
    for what `retention` (A as its record says) and `noisy-counts` (A = e^ε) made; no file can prove it.
    Offers the γ that it gives for this d.

    Rastogi, Suciu, Hong, "The boundary between privacy and utility in data publishing", 2007.
    """

    name: ClassVar[str] = "d-gamma-privacy"
    example: ClassVar[str] = "d=0.1,gamma=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "d": "a belief this weak, as a probability …",
        "gamma": "… may become no stronger than this",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("table linkage", "probabilistic")
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "table"
    mechanisms: ClassVar[tuple[str, ...]] = ("retention", "noisy-counts")

    d: float
    gamma: float

    def __post_init__(self) -> None:
        if not 0 < self.d < self.gamma < 1:
            raise BadParameter(
                f"d-gamma-privacy needs 0 < d < gamma < 1, not d={self.d:g} and gamma={self.gamma:g}"
            )

    def in_words(self) -> str:
        return (
            f"Anyone who thought with probability at most {per_cent(self.d)} that a record is in the data "
            f"thinks so with at most {per_cent(self.gamma)} after the release, if records do not "
            "depend on each other."
        )

    def level(self, classes: Classes) -> float:
        found = classes.guarantees
        amplification = found.get("amplification", math.inf)
        if "epsilon" in found and found.get("delta") == 0:
            amplification = min(amplification, math.exp(min(found["epsilon"], 700.0)))
        return self.d * amplification

    def holds(self, classes: Classes) -> Mask:
        return np.full(len(classes), self.level(classes) <= self.gamma * (1 + ROUNDING))

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        return np.where(self.holds(classes), 0.0, classes.sizes)
