"""MultiR k-anonymity: people are counted, not rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes


@dataclass(frozen=True)
class MultirKAnonymity(ClassModel[Classes]):
    """Every class has rows of at least k different people.

    For tables in which a person has several rows, as after a join: k rows of one patient hide nobody. The
    person key is counted and never released; a missing key counts as one person, whoever they are.

    Nergiz, Clifton, Nergiz, "MultiRelational k-anonymity", 2007.
    """

    name: ClassVar[str] = "multir-k-anonymity"
    example: ClassVar[str] = "k=2,person=ill"
    asks: ClassVar[Mapping[str, str]] = {
        "k": "different people in each group, at least",
        "person": "the column that tells whose row it is",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage",)
    question: ClassVar[str] = "Does one person have several rows, or several tables?"
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"
    counts_people: ClassVar[bool] = True

    k: int
    person: str

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadParameter(
                f"multir-k-anonymity needs k of at least 1, not {self.k}; 5 is a common choice"
            )

    @property
    def held(self) -> tuple[str, ...]:
        """The columns that it counts and that must not leave the house."""
        return (self.person,)

    def together(self, sensitive: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        return ((self.person,),)

    @property
    def people(self) -> int:
        return self.k

    def in_words(self) -> str:
        return f"Every group has rows of at least {self.k:,} different people."

    def level(self, classes: Classes) -> float:
        people = self._people(classes)
        return float(people.min()) if len(people) else 0.0

    def holds(self, classes: Classes) -> Mask:
        return self._people(classes) >= self.k

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # A part of a class has no people that the class has not.
        return np.where(self.holds(classes), 0, classes.sizes).astype(np.float64)

    def _people(self, classes: Classes) -> NDArray[np.int64]:
        return np.diff(classes.jointly((self.person,)).offsets)
