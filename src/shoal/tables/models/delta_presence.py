"""δ-presence: whether somebody is in the table at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes, People

ROUNDING = 1e-12


@dataclass(frozen=True)
class DeltaPresence(ClassModel[Classes]):
    """Of the people who fit a class, a share between low and high is in the table.

    Who knows the population learns about nobody in it that they are in the table with a probability outside
    those bounds. That includes people who fit no released row: their share is 0, so with low above 0 every
    class of the population needs a released row. Offers the highest share.

    Nergiz, Atzori, Clifton, "Hiding the presence of individuals from shared databases", 2007.
    """

    name: ClassVar[str] = "delta-presence"
    example: ClassVar[str] = "low=0,high=1"
    asks: ClassVar[Mapping[str, str]] = {
        "low": "share of the population's group that is in the table, at least",
        "high": "and at most",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("table linkage",)
    question: ClassVar[str] = "Must it stay unknown whether somebody is in the table at all?"
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "table"

    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise BadParameter(
                f"delta-presence needs 0 ≤ low ≤ high ≤ 1, not low={self.low:g} and high={self.high:g}"
            )

    def in_words(self) -> str:
        return (
            f"Of the people who fit a group, between {per_cent(self.low)} and {per_cent(self.high)} are in "
            "the file: that somebody is in it cannot be told with more certainty than that."
        )

    def level(self, classes: Classes) -> float:
        return float((classes.sizes / self._people(classes).counts).max(initial=0.0))

    def unmet(self, classes: Classes) -> str:
        """What a table that is one class offers instead."""
        share = self.level(classes)
        below, above = np.floor(share * 1e4 + 1e-9) / 1e4, np.ceil(share * 1e4 - 1e-9) / 1e4
        return f"has {share:.2%} of the people; ask for low up to {below:g} and high from {above:g}"

    def holds(self, classes: Classes) -> Mask:
        people = self._people(classes)
        fits = classes.sizes <= self.high * people.counts * (1 + ROUNDING)
        if self.low == 0:
            return np.asarray(fits)  # a class that is left out has a share of 0, which is allowed
        fits &= classes.sizes >= self.low * people.counts * (1 - ROUNDING)
        return np.full(len(classes), bool(fits.all()) and not people.outside)

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        if self.low > 0:
            # If all parts of a class kept within the bounds, so would the class; and none may be left out.
            return np.where(self.holds(classes), 0.0, classes.sizes)
        # All parts together release at most high times the people who fit the class.
        most = np.floor(self.high * self._people(classes).counts * (1 + ROUNDING) + 1e-9)
        return np.asarray(np.maximum(classes.sizes - most, 0.0))

    def _people(self, classes: Classes) -> People:
        if classes.population is None:
            raise BadParameter(
                "delta-presence compares with a population; give --population FILE, and a method that "
                "recodes it by the same levels, such as optimal"
            )
        return classes.population
