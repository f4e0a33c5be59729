"""Re-identification risk: prosecutor, journalist, marketer.

El Emam & Dankar, "Protecting privacy using k-anonymity", 2008; El Emam, "Guide to the de-identification of
personal health information", 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.core.outcome import Json

Sizes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Exposure:
    """What a risk reads: per class its rows in the release, and the people in the population who fit it."""

    released: Sizes
    population: Sizes

    @classmethod
    def of_sample(cls, released: Sizes) -> Exposure:
        """The release is the whole population, as far as anyone knows."""
        return cls(released, released)


@dataclass(frozen=True)
class RiskRange:
    """A risk over all rows of a release."""

    lowest: float
    average: float
    highest: float

    def to_json(self) -> dict[str, Json]:
        return {"lowest": self.lowest, "average": self.average, "highest": self.highest}


@dataclass(frozen=True)
class Prosecutor(Measure[Exposure, RiskRange]):
    """The attacker knows that the target is in the release: 1/F for a class of F rows, averaged over rows.

    El Emam & Dankar 2008.
    """

    name: ClassVar[str] = "prosecutor"

    def measure(self, exposure: Exposure) -> RiskRange:
        return _spread(exposure.released, exposure.released)


@dataclass(frozen=True)
class Journalist(Measure[Exposure, RiskRange]):
    """The attacker wants anyone: 1/F where F counts the people of the population who fit the class.

    The highest is 1/min F over the released classes. Without a population it is the prosecutor's risk.

    El Emam & Dankar 2008.
    """

    name: ClassVar[str] = "journalist"

    def measure(self, exposure: Exposure) -> RiskRange:
        return _spread(exposure.population, exposure.released)


@dataclass(frozen=True)
class Marketer(Measure[Exposure, float]):
    """The attacker wants as many as possible: the share of rows expected to be re-identified, Σ (f/F) / n.

    Without a population it is classes / rows.

    Dankar & El Emam, "A method for evaluating marketer re-identification risk", 2010.
    """

    name: ClassVar[str] = "marketer"

    def measure(self, exposure: Exposure) -> float:
        return float((exposure.released / exposure.population).sum() / exposure.released.sum())


def _spread(candidates: Sizes, weights: Sizes) -> RiskRange:
    return RiskRange(
        lowest=float(1 / candidates.max()),
        average=float((weights / candidates).sum() / weights.sum()),
        highest=float(1 / candidates.min()),
    )
