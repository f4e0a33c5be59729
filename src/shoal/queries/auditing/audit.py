"""What an audit finds: the ε that something costs at least, beside the ε that it claims."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.queries.auditing.lower_bound import Draws, epsilon_from_below

Side = Callable[[int], Draws]  # so many draws on one of two neighbours, a row each
LEAST, BATCH = 100, 5_000


@dataclass(frozen=True)
class Reach:
    """How far people really move one number of a question, beside what was declared (noise left out)."""

    number: str
    declared: float
    found: float
    people: int  # tried

    @property
    def holds(self) -> bool:
        """Whether nobody moves it farther; doubles round."""
        return self.found <= self.declared * (1 + 1e-6)

    def to_json(self) -> dict[str, Json]:
        return {
            "number": self.number,
            "declared": self.declared,
            "found": self.found,
            "people": self.people,
            "holds": self.holds,
        }


@dataclass(frozen=True)
class Audit(Shown):
    """A lower bound on ε by experiment. It can show that a promise is broken, and never that it holds."""

    audited: str
    claimed: float
    delta: float
    lower_bound: float
    confidence: float
    samples: int  # on each of the two neighbours
    neighbours: str
    reach: tuple[Reach, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was found that breaks the promise."""
        return self.lower_bound <= self.claimed and all(part.holds for part in self.reach)

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal query audit --json` prints."""
        return {
            "audited": self.audited,
            "claimed": self.claimed,
            "delta": self.delta,
            "lower_bound": self.lower_bound,
            "confidence": self.confidence,
            "samples": self.samples,
            "passed": self.passed,
            "neighbours": self.neighbours,
            "reach": [part.to_json() for part in self.reach],
        }

    def to_tables(self) -> Tables:
        verdict = "no breach found" if self.passed else "THE PROMISE IS BROKEN"
        tables: Tables = {
            "audit": [
                ["audited", "ε claimed", "ε at least", "confidence", "draws a side", "verdict"],
                [
                    self.audited,
                    f"{self.claimed:g}",
                    f"{self.lower_bound:.3f}",
                    f"{self.confidence:.4%}",
                    f"{self.samples:,}",
                    verdict,
                ],
            ]
        }
        if self.reach:
            tables["how far one person moves each number, without noise"] = [
                ["number", "declared", "found", "people tried", "holds"],
                *(
                    [part.number, f"{part.declared:g}", f"{part.found:g}", f"{part.people:,}",
                     "yes" if part.holds else "NO"]
                    for part in self.reach
                ),
            ]  # fmt: skip
        return tables


def audit_sides(
    here: Side,
    there: Side,
    *,
    audited: str,
    claimed: float,
    neighbours: str,
    delta: float = 0.0,
    samples: int = 100_000,
    confidence: float = 0.999,
    time_limit: float | None = None,
    reach: tuple[Reach, ...] = (),
) -> Audit:
    """Draw on both neighbours until there is enough or the time is up, and bound ε from below."""
    if samples < LEAST:
        raise BadParameter(f"{samples} draws show nothing; take {LEAST} or more")
    if not 0.5 <= confidence < 1:
        raise BadParameter(f"a confidence of {confidence:g} is none; give one from 0.5 to below 1")
    end = math.inf if time_limit is None else time.monotonic() + time_limit
    sides: tuple[list[Draws], list[Draws]] = ([], [])
    drawn = 0
    while drawn < samples and (drawn < LEAST or time.monotonic() < end):
        batch = min(BATCH if drawn else LEAST, samples - drawn)
        for kept, side in zip(sides, (here, there), strict=True):
            kept.append(_table(side(batch)))
        drawn += batch
    one, other = _stack(sides[0]), _stack(sides[1])
    width = max(one.shape[1], other.shape[1])
    bound = epsilon_from_below(_wide(one, width), _wide(other, width), delta, confidence)
    return Audit(audited, claimed, delta, bound, confidence, drawn, neighbours, reach)


def _table(draws: NDArray[np.float64]) -> Draws:
    table = np.asarray(draws, np.float64)
    return table.reshape(len(table), -1)


def _stack(parts: list[Draws]) -> Draws:
    width = max(part.shape[1] for part in parts)
    return np.concatenate([_wide(part, width) for part in parts])


def _wide(table: Draws, width: int) -> Draws:
    """Some say less than others: what was not told is a NaN."""
    return np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=np.nan)
