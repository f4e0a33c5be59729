"""Who is alone in the release, and who of them is alone in the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.outcome import Json
from shoal.tables.measures.risk import Exposure


@dataclass(frozen=True)
class Uniques:
    """Rows alone in the release, and of these the rows alone in the population, if that is known."""

    sample: int
    rows: int
    population: int | None = None

    @property
    def sample_share(self) -> float:
        """The share of rows that are alone in the release."""
        return self.sample / self.rows

    @property
    def kept(self) -> float | None:
        """The share of the rows alone in the release that are alone in the population."""
        if self.population is None:
            return None
        return self.population / self.sample if self.sample else 0.0

    def to_json(self) -> dict[str, Json]:
        return {
            "sample_uniques": self.sample,
            "sample_share": self.sample_share,
            "population_uniques_among_them": self.population,
            "share_among_them": self.kept,
        }


@dataclass(frozen=True)
class Uniqueness(Measure[Exposure, Uniques]):
    """Rows that are alone in their class, and how many of them are alone in the population too.

    Only the second kind can be re-identified for certain by somebody who does not know who is in the release.
    A person alone in the population is alone in every release, so nobody else needs looking at.

    Skinner & Elliot, "A measure of disclosure risk for microdata", 2002.
    """

    name: ClassVar[str] = "uniqueness"

    def measure(self, exposure: Exposure) -> Uniques:
        single = exposure.released == 1
        known = exposure.population is not exposure.released
        both = int(np.count_nonzero(single & (exposure.population == 1)))
        return Uniques(int(np.count_nonzero(single)), int(exposure.released.sum()), both if known else None)
