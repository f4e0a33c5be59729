"""What a few columns together give away."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.measures.separation import separated_share


@dataclass(frozen=True)
class Combination:
    """How much some columns together give away.

    The average risk is the prosecutor's, which is the distinction. `minimal_uniques` are the rows that the
    columns single out together while no smaller part of them does.
    """

    columns: tuple[str, ...]
    average_risk: float
    separation: float
    unique_rows: int
    minimal_uniques: int

    def to_json(self) -> dict[str, Json]:
        return {
            "columns": ",".join(self.columns),
            "distinction": self.average_risk,
            "separation": self.separation,
            "average_risk": self.average_risk,
            "unique_rows": self.unique_rows,
            "minimal_uniques": self.minimal_uniques,
        }


@dataclass(frozen=True)
class RiskiestCombinations:
    """The riskiest combinations first, out of all with up to `largest` columns.

    `minimal_uniques` says per column how many of the minimal uniques need it.
    """

    largest: int
    counted: int
    riskiest: tuple[Combination, ...]
    minimal_uniques: dict[str, int]

    def to_json(self) -> dict[str, Json]:
        return {
            "up_to": self.largest,
            "counted": self.counted,
            "riskiest": [one.to_json() for one in self.riskiest],
            "minimal_uniques": dict(self.minimal_uniques),
        }


@dataclass(frozen=True)
class Combinations(Measure[CodedRows, RiskiestCombinations]):
    """How much every combination of few columns gives away: average risk, separation, rows singled out, and
    rows singled out by no smaller combination.

    A row that few columns single out is at risk from people who know little. Without `largest` there are up
    to three columns in a combination, and fewer where that would take long.

    Elliot, Manning, Ford, "A computational algorithm for handling the special uniques problem", 2002.
    """

    name: ClassVar[str] = "combinations"

    largest: int | None = None
    listed: int = 50

    def __post_init__(self) -> None:
        if self.largest is not None and self.largest < 0:
            raise BadParameter(f"combinations have 0 (for none) or more columns, not {self.largest}")

    def measure(self, rows: CodedRows) -> RiskiestCombinations:
        largest = affordable(rows) if self.largest is None else min(self.largest, len(rows.columns))
        found = _count(rows, largest)
        needed = {
            column: sum(one.minimal_uniques for one in found if column in one.columns)
            for column in rows.columns
        }
        # Of two equals the shorter comes first: it asks less of an attacker.
        found.sort(key=lambda one: (-one.average_risk, -one.separation, len(one.columns)))
        return RiskiestCombinations(largest, len(found), tuple(found[: self.listed]), needed)


USUAL = 3  # columns in a combination; three already single out most people
AFFORDABLE = 150_000_000  # distinct rows times combinations, some seconds


def affordable(rows: CodedRows) -> int:
    """How many columns a combination may have so that counting all of them takes seconds."""
    places, work, largest = len(rows.columns), 0, 0
    for size in range(1, min(USUAL, places) + 1):
        work += len(rows) * len(list(combinations(range(places), size)))
        if work > AFFORDABLE and size > 1:
            break
        largest = size
    return largest


def _count(rows: CodedRows, largest: int) -> list[Combination]:
    found: list[Combination] = []
    nobody = np.zeros(len(rows), np.bool_)
    before: dict[tuple[int, ...], NDArray[np.bool_]] = {(): nobody}
    for size in range(1, largest + 1):
        alone: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        for chosen in combinations(range(len(rows.columns)), size):
            sizes = rows.sizes(chosen)
            unique = int(np.count_nonzero(sizes == 1))
            alone[chosen] = rows.alone(chosen) if unique else nobody
            # Who is singled out by fewer columns is by more, so looking one column back will do.
            smaller = [before[chosen[:place] + chosen[place + 1 :]] for place in range(size)]
            minimal = int(np.count_nonzero(alone[chosen] & ~np.logical_or.reduce(smaller))) if unique else 0
            found.append(
                Combination(
                    columns=tuple(rows.columns[place] for place in chosen),
                    average_risk=len(sizes) / rows.height,
                    separation=separated_share(rows.height, int((sizes * (sizes - 1)).sum())),
                    unique_rows=unique,
                    minimal_uniques=minimal,
                )
            )
        before = alone
    return found
