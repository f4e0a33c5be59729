"""Distributional privacy of a released table."""

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
class DistributionalPrivacy(ClassModel[Classes]):
    """Two samples of the same people give a release as likely up to e^alpha, except with probability beta.

    So a release tells of the population and hardly anything of who was drawn. A property of the method, which
    no file can prove. It holds for what `noisy-counts` made of a declared number of `people`: two samples of
    n without replacement are, over m cells, at most T = 2·(√(n(m-1)) + √(2n·ln(2/beta))) apart with
    probability 1 - beta (Hoeffding 1963 brings sampling without replacement back to sampling with it, where
    McDiarmid 1989 bounds the distance to the mean), and counts T apart are told apart by at most e^(εT).
    Offers alpha = ε·min(T, 2n).

    Blum, Ligett, Roth, "A learning theory approach to non-interactive database privacy", 2008.
    """

    name: ClassVar[str] = "distributional-privacy"
    example: ClassVar[str] = "alpha=0.5,beta=0.1"
    asks: ClassVar[Mapping[str, str]] = {
        "alpha": "how far apart two releases may be; smaller is safer",
        "beta": "probability with which it may fail",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("table linkage", "probabilistic")
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "table"
    mechanisms: ClassVar[tuple[str, ...]] = ("noisy-counts",)

    alpha: float
    beta: float

    def __post_init__(self) -> None:
        if not 0 < self.alpha < math.inf:
            raise BadParameter(f"distributional-privacy needs an alpha above 0, not {self.alpha:g}")
        if not 0 < self.beta < 1:
            raise BadParameter(f"distributional-privacy needs beta between 0 and 1, not {self.beta:g}")

    def in_words(self) -> str:
        factor = f"{math.exp(self.alpha):.3g}" if self.alpha < 50 else f"e^{self.alpha:g}"
        return (
            "Two random samples of the same people make every possible release about as likely, by a factor "
            f"of at most {factor}, except with probability {self.beta:g}: it tells of the population, and "
            "hardly of who was drawn."
        )

    def level(self, classes: Classes) -> float:
        found = classes.guarantees
        if not {"epsilon", "people", "cells"} <= found.keys() or found.get("delta") != 0:
            return math.inf
        return found["epsilon"] * self.apart(found["people"], found["cells"])

    def apart(self, people: float, cells: float) -> float:
        """How far the counts of two samples are apart in all cells together, except with probability beta."""
        far = math.sqrt(people * (cells - 1)) + math.sqrt(2 * people * math.log(2 / self.beta))
        return 2 * min(far, people)

    def holds(self, classes: Classes) -> Mask:
        return np.full(len(classes), self.level(classes) <= self.alpha * (1 + ROUNDING))

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        return np.where(self.holds(classes), 0.0, classes.sizes)
