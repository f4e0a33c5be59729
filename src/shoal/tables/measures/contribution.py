"""What each column adds to the risk."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import ClassVar

from shoal.core.contract import Measure
from shoal.core.outcome import Json
from shoal.tables.appraisal.packed_columns import CodedRows

AFFORDABLE = 64_000_000  # distinct rows times sets of columns, some seconds
MOST = 10  # columns of which all sets are looked at


@dataclass(frozen=True)
class Share:
    """The average risk of a prosecutor who knows one column only, or all but this one; what it adds."""

    alone: float
    without: float
    added: float
    shapley: float | None

    def to_json(self) -> dict[str, Json]:
        return {
            "alone": self.alone,
            "without": self.without,
            "added": self.added,
            "shapley": self.shapley,
        }


@dataclass(frozen=True)
class Contribution(Measure[CodedRows, dict[str, Share]]):
    """What each quasi-identifier contributes to the average risk of the prosecutor: alone, when left out, and
    its fair share.

    The fair share is the Shapley value: what a column adds on average, whatever was known before. The shares
    add up to the whole risk less that of knowing nothing. Leaving a column out may take away less, where
    others say the same, or more, where it is the last piece. Unknown for many columns or very long tables.

    Shapley, "A value for n-person games", 1953.
    """

    name: ClassVar[str] = "contribution"

    def measure(self, rows: CodedRows) -> dict[str, Share]:
        every = tuple(range(len(rows.columns)))
        shapley = _shapley(rows) if _is_affordable(rows) else None
        found = {}
        for place, column in enumerate(rows.columns):
            without = _risk(rows, every[:place] + every[place + 1 :])
            found[column] = Share(
                alone=_risk(rows, (place,)),
                without=without,
                added=_risk(rows, every) - without,
                shapley=None if shapley is None else shapley[place],
            )
        return found


def _risk(rows: CodedRows, chosen: tuple[int, ...]) -> float:
    return rows.classes(chosen) / rows.height


def _is_affordable(rows: CodedRows) -> bool:
    columns = len(rows.columns)
    return columns <= MOST and len(rows) * 2**columns <= AFFORDABLE


def _shapley(rows: CodedRows) -> list[float]:
    places = range(len(rows.columns))
    shares = [0.0 for _ in places]
    for size in places:
        weight = factorial(size) * factorial(len(places) - size - 1) / factorial(len(places))
        for chosen in combinations(places, size):
            before = _risk(rows, chosen)
            for place in places:
                if place not in chosen:
                    added = _risk(rows, tuple(sorted((*chosen, place)))) - before
                    shares[place] += weight * added
    return shares
