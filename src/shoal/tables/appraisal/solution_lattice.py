"""The lattice of solutions: which choices of levels keep the promise, and what each costs.

For the owner alone: what a choice costs follows from all rows, also from those that are never released.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, number
from shoal.core.part_syntax import join_columns

State = Literal["optimal", "safe", "unsafe", "undecided"]
MOST_TOLD = 20


@dataclass(frozen=True)
class Solution:
    """One choice of levels.

    `loss` is what it costs when classes that break the promise are left out, `suppressed` how many rows that
    are; both are None where nobody looked. An unsafe one leaves out more than allowed, or breaks the promise
    all the same.
    """

    levels: tuple[int, ...]
    state: State
    loss: float | None = None
    suppressed: int | None = None

    def to_json(self) -> dict[str, Json]:
        loss = None if self.loss is None else number(self.loss)
        return {"levels": list(self.levels), "state": self.state, "loss": loss, "suppressed": self.suppressed}


@dataclass(frozen=True)
class SolutionLattice(Shown):
    """What is known of a lattice of full-domain generalisations; `solutions` may be a part of it."""

    heights: Mapping[str, int]  # the highest level of each quasi-identifier
    rows: int
    allowed: int  # rows that may be left out
    objective: str
    solutions: tuple[Solution, ...]  # the best first
    nodes: int  # of the whole lattice
    proved: bool  # whether the optimum is one
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.heights)

    @property
    def whole(self) -> bool:
        """Whether every choice of levels is among the solutions."""
        return len(self.solutions) == self.nodes

    @property
    def optimum(self) -> Solution | None:
        """The best choice that keeps the promise."""
        return next((one for one in self.solutions if one.state == "optimal"), None)

    def count(self, state: State) -> int:
        """How many solutions have a state; those that are not among them are undecided."""
        there = sum(one.state == state for one in self.solutions)
        return there + (self.nodes - len(self.solutions) if state == "undecided" else 0)

    def chosen(self, solution: Solution) -> str:
        """A solution as `--levels` takes it."""
        pairs = zip(self.columns, solution.levels, strict=True)
        return join_columns(f"{column}={level}" for column, level in pairs)

    def words(self) -> str:
        """What is told of how much."""
        if self.whole:
            return f"All {self.nodes:,} combinations of levels."
        return (
            f"{len(self.solutions):,} of {self.nodes:,} combinations of levels: those around the best one "
            "and the cheapest that were found to be safe. There may be others as cheap among the rest."
        )

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal table explore --json` prints."""
        best = self.optimum
        return {
            "columns": list(self.columns),
            "heights": dict(self.heights),
            "rows": self.rows,
            "allowed": self.allowed,
            "objective": self.objective,
            "nodes": self.nodes,
            "whole": self.whole,
            "proved": self.proved,
            "optimal": None if best is None else dict(zip(self.columns, best.levels, strict=True)),
            "states": {state: self.count(state) for state in ("optimal", "safe", "unsafe", "undecided")},
            "solutions": [one.to_json() for one in self.solutions],
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        figures = [
            ["combinations of levels", "how many"],
            *([state, f"{self.count(state):,}"] for state in ("optimal", "safe", "unsafe", "undecided")),
        ]
        best = [one for one in self.solutions if one.state in ("optimal", "safe")][:MOST_TOLD]
        told = [["levels", "state", self.objective, "rows left out"]]
        for one in best:
            loss = "–" if one.loss is None else f"{one.loss:.4g}"
            told.append([self.chosen(one), one.state, loss, f"{one.suppressed:,}"])
        return {"lattice": figures, "best solutions": told}
