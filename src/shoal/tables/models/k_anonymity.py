"""k-anonymity."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes


@dataclass(frozen=True)
class KAnonymity(ClassModel[Classes]):
    """Every row looks like at least k - 1 others.

    Sweeney, "k-anonymity: a model for protecting privacy", 2002.
    """

    name: ClassVar[str] = "k-anonymity"
    example: ClassVar[str] = "k=2"
    asks: ClassVar[Mapping[str, str]] = {
        "k": "rows in the smallest group, at least; 5 or 10 is usual",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage",)
    question: ClassVar[str] = "Could somebody find a person's row by age, postcode and the like?"
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "class"

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadParameter(f"k-anonymity needs k of at least 1, not {self.k}; 5 is a common choice")

    @property
    def people(self) -> int:
        return self.k

    def in_words(self) -> str:
        return (
            f"In the columns that others may know, each row looks like at least {self.k - 1:,} other"
            f"{'' if self.k == 2 else 's'}."
        )

    def level(self, classes: Classes) -> float:
        return float(classes.sizes.min(initial=np.iinfo(np.int64).max)) if len(classes) else 0.0

    def holds(self, classes: Classes) -> Mask:
        return classes.sizes >= self.k

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # A part of a class that is too small is smaller still.
        return np.where(classes.sizes < self.k, classes.sizes, 0.0)
