"""How many rows are at risk, and how the risk is spread over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.tables.measures.risk import Exposure, Sizes

# A step is the people among whom a row hides: from so many, and fewer than the next.
STEPS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1_000)


@dataclass(frozen=True)
class Above:
    """The rows whose risk exceeds a threshold."""

    rows: int
    share: float

    def to_json(self) -> dict[str, Json]:
        return {"rows": self.rows, "share": self.share}


@dataclass(frozen=True)
class Interval:
    """The rows that hide among `smallest` to `largest` people, and so have a risk between the two."""

    smallest: int
    largest: int | None  # None is open
    rows: int
    share: float
    cumulative: float  # the share of rows with this risk or a higher one

    @property
    def above(self) -> float:
        """The risk that all of these rows exceed."""
        return 0.0 if self.largest is None else 1 / (self.largest + 1)

    @property
    def up_to(self) -> float:
        """The highest risk of these rows."""
        return 1 / self.smallest

    def to_json(self) -> dict[str, Json]:
        return {
            "above": self.above,
            "up_to": self.up_to,
            "rows": self.rows,
            "share": self.share,
            "cumulative": self.cumulative,
        }


@dataclass(frozen=True)
class AtRisk:
    """Rows above the threshold for two attackers, and the spread of the risk."""

    threshold: float
    prosecutor: Above
    journalist: Above
    spread: tuple[Interval, ...]  # of the journalist's risk; without a population it is the prosecutor's

    def to_json(self) -> dict[str, Json]:
        return {
            "threshold": self.threshold,
            "prosecutor": self.prosecutor.to_json(),
            "journalist": self.journalist.to_json(),
            "intervals": [interval.to_json() for interval in self.spread],
        }


@dataclass(frozen=True)
class RecordsAtRisk(Measure[Exposure, AtRisk]):
    """The rows whose risk of re-identification exceeds a threshold, and how many rows have which risk.

    The risk of a row is 1/F, with F the rows of its class (prosecutor) or the people of the population who
    fit it (journalist). 0.2, which five people in a class just keep, is common for data that are shared.

    El Emam, "Guide to the de-identification of personal health information", 2013.
    """

    name: ClassVar[str] = "records-at-risk"

    threshold: float = 0.2

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise BadParameter(f"threshold is a risk from 0 to 1, not {self.threshold}")

    def measure(self, exposure: Exposure) -> AtRisk:
        return AtRisk(
            self.threshold,
            self._above(exposure.released, exposure.released),
            self._above(exposure.population, exposure.released),
            _spread(exposure.population, exposure.released),
        )

    def _above(self, candidates: Sizes, rows: Sizes) -> Above:
        hit = int(rows[1 / candidates > self.threshold].sum())
        return Above(hit, hit / int(rows.sum()))


def _spread(candidates: Sizes, rows: Sizes) -> tuple[Interval, ...]:
    step = np.searchsorted(STEPS, candidates, side="right") - 1
    counts = np.bincount(step, weights=rows, minlength=len(STEPS)).astype(np.int64)
    total, before, found = int(rows.sum()), 0, []
    for place, count in enumerate(counts.tolist()):
        before += count
        largest = STEPS[place + 1] - 1 if place + 1 < len(STEPS) else None
        found.append(Interval(STEPS[place], largest, count, count / total, before / total))
    return tuple(found)
