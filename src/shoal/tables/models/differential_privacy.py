"""ε-differential privacy of a released table."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes

ROUNDING = 1e-12


@dataclass(frozen=True)
class DifferentialPrivacy(ClassModel[Classes]):
    """With or without any one row, a release is as likely up to a factor e^ε, except with probability δ.

    A property of the method that made a release, not of its rows: it holds for what `noisy-counts`,
    `sampled-generalisation` and `synthetic` made with parameters that suffice, as the record of the release
    says, and no file can prove it. Neighbouring tables differ by one row; who has several rows has as many
    times ε.

    Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity in private data analysis", 2006.
    """

    name: ClassVar[str] = "differential-privacy"
    example: ClassVar[str] = "epsilon=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "epsilon": "the privacy loss ε; smaller is safer, 1 is usual",
        "delta": "probability with which it may fail; far smaller than 1 / rows",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("table linkage", "probabilistic")
    question: ClassVar[str] = "Will everybody get it, including people who know almost everything?"
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "table"
    mechanisms: ClassVar[tuple[str, ...]] = ("noisy-counts", "sampled-generalisation", "synthetic")
    composes: ClassVar[bool] = True

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.epsilon < math.inf:
            raise BadParameter(f"differential-privacy needs an epsilon above 0, not {self.epsilon:g}; try 1")
        if not 0 <= self.delta < 1:
            raise BadParameter(f"differential-privacy needs delta from 0 to below 1, not {self.delta:g}")

    def in_words(self) -> str:
        # Beyond ε = 700 the factor is no number any more, and the promise none worth telling.
        factor = f"{math.exp(self.epsilon):.3g}" if self.epsilon < 700 else "more than 10^300"
        return (
            "Chance was mixed in: with or without any one row, every possible release is about as likely, by "
            f"a factor of at most {factor} (ε = {self.epsilon:g})."
        )

    def level(self, classes: Classes) -> float:
        return classes.guarantees.get("epsilon", math.inf)

    def holds(self, classes: Classes) -> Mask:
        near = 1 + ROUNDING
        fits = self.level(classes) <= self.epsilon * near
        fits &= classes.guarantees.get("delta", 1.0) <= self.delta * near
        return np.full(len(classes), fits)

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # No way of coarsening rows makes up for a method that promised nothing.
        return np.where(self.holds(classes), 0.0, classes.sizes)
