"""What mechanisms tell: numbers, how far off they may be, what everybody may know, what it cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, number
from shoal.graphs.answering.privacy_parameters import Cost
from shoal.graphs.graph import Int64

_SHOWN = 20  # rows of a text table


@dataclass(frozen=True, eq=False)
class NoisyCount(Shown):
    """One number with noise; error and interval are None where they would tell of the graph."""

    mechanism: str
    what: str
    value: int
    error: float | None
    low: int | None
    high: int | None
    cost: Cost
    public: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "mechanism": self.mechanism,
            "what": self.what,
            "value": self.value,
            "error": None if self.error is None else number(self.error),
            "interval": None if self.low is None or self.high is None else [self.low, self.high],
            "cost": self.cost.to_json(),
            "public": list(self.public),
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        figures = [["figure", "value"], [self.what, f"{self.value:,}"]]
        if self.low is not None and self.high is not None:
            figures.append(["95 % interval", f"{self.low:,} – {self.high:,}"])
        figures.append(["expected error", "–" if self.error is None else f"{self.error:,.3g}"])
        return {"answer": [*figures, *_closing_rows(self.cost, self.public, self.notes)]}


@dataclass(frozen=True, eq=False)
class NoisySequence(Shown):
    """Degrees in ascending order: as drawn, and after inference.

    `error` is the expected size of the noise on each; after inference it is less on average. `margin` is how
    far noise goes in 95 of 100 numbers.
    """

    mechanism: str
    values: NDArray[np.float64]
    noisy: Int64
    error: float
    margin: float
    cost: Cost
    public: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "mechanism": self.mechanism,
            "values": self.values.tolist(),
            "noisy": self.noisy.tolist(),
            "error": self.error,
            "margin": self.margin,
            "cost": self.cost.to_json(),
            "public": list(self.public),
        }

    def to_tables(self) -> Tables:
        figures = [["figure", "value"], ["numbers", f"{len(self.values):,}"]]
        if len(self.values):
            figures.append(["mean degree", f"{self.values.mean():,.4g}"])
            figures.append(["largest degree", f"{self.values[-1]:,.6g}"])
        figures.append(["expected noise on each, before inference", f"{self.error:,.3g}"])
        return {"answer": [*figures, *_closing_rows(self.cost, self.public, ())]}


@dataclass(frozen=True, eq=False)
class NoisyHistogram(Shown):
    """How many people have each degree: noisy numbers as drawn, and whole counts of 0 or more made of them.

    `noisy` stands beside `degrees` and may count those with that degree or more, as `form` says. `error`
    and `margin` (95 %) are those of its numbers. The last degree stands for itself and all above.
    """

    mechanism: str
    form: str
    degrees: Int64
    counts: Int64
    noisy: Int64
    error: float
    margin: float
    cost: Cost
    public: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "mechanism": self.mechanism,
            "form": self.form,
            "degrees": self.degrees.tolist(),
            "counts": self.counts.tolist(),
            "noisy": self.noisy.tolist(),
            "error": self.error,
            "margin": self.margin,
            "cost": self.cost.to_json(),
            "public": list(self.public),
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        filled = np.flatnonzero(self.counts)
        rows = [[f"{self.degrees[at]:,}", f"{self.counts[at]:,}"] for at in filled[:_SHOWN]]
        if len(filled) > _SHOWN:
            rows.append(["…", f"{int(self.counts[filled[_SHOWN:]].sum()):,}"])
        figures = [["figure", "value"], ["expected noise on each number", f"{self.error:,.3g}"]]
        figures += _closing_rows(self.cost, self.public, self.notes)
        return {"people by degree": [["degree", "people"], *rows], "answer": figures}


def _closing_rows(cost: Cost, public: tuple[str, ...], notes: tuple[str, ...]) -> list[list[str]]:
    """Cost, what is public, and remarks: the same for every answer."""
    rows = [["cost", cost.in_words]]
    rows += [["public", fact] for fact in public]
    return rows + [["note", note] for note in notes]
