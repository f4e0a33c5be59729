"""A protected table: the rows that go out, what was promised about them, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import ClassModel, Method
from shoal.core.errors import BadParameter
from shoal.core.notebook import Framed, Shown, as_html
from shoal.core.outcome import Json, Promise, Tables, number, promise_rows
from shoal.core.private_state import Seal, find_kept, keep_apart
from shoal.tables.appraisal.comparison import generalise
from shoal.tables.column_decisions import Decisions
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.table import Table


@dataclass(frozen=True)
class Attempt:
    """A method that was tried on the way: what it would have cost, or why it made no release."""

    method: str
    cost: float | None
    seconds: float
    reason: str = ""

    def to_json(self) -> dict[str, Json]:
        cost = None if self.cost is None else number(self.cost)
        return {"method": self.method, "cost": cost, "seconds": self.seconds, "reason": self.reason or None}


@dataclass(frozen=True, eq=False)
class _Apart:
    """What models of a release in memory need, and what tells of people beyond the release."""

    frame: pl.DataFrame  # the released rows that all else here belongs to
    hierarchies: Mapping[str, Hierarchy]
    population: pl.DataFrame | None
    held: pl.DataFrame | None
    domains: Mapping[str, Domain]
    sources: pl.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class TableRelease(Framed, Shown):
    """What `protect` returns for a table: what is released, and nothing else about anybody.

    `table` holds the released rows, without identifiers, in shuffled order. `domains` are the table-wide
    distributions of sensitive values before suppression, as far as a model compares with them.
    Hierarchies, the population and columns that only models count are kept apart: they know original values
    and names. They serve `verify`, `measure` and `attack` in this process and never leave it; see
    `known_here`.
    """

    table: Table
    rows: int
    method: str
    domains: Mapping[str, Domain]
    losses: Mapping[str, float]
    classes: int
    optimal: bool | None = None
    proves: bool = False  # its method is for that; others may reach their bound by chance
    bound: float | None = None  # of a search that ended early: what no release of its kind can cost less than
    levels: Mapping[str, int] | None = None
    promises: tuple[Promise, ...] = ()
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    guarantees: Mapping[str, float] = field(default_factory=dict)  # what the method itself promises
    minimal: bool = True  # no step that the method is known to take would make it finer
    tried: tuple[Attempt, ...] = ()  # what auto tried; for whoever made the release, never beside it
    decisions: Decisions = field(default_factory=Decisions)
    allowed: float | None = None  # the share of rows that might have been left out
    seal: Seal = field(default_factory=Seal, repr=False)  # leads to what is kept apart; tells nothing itself

    def __post_init__(self) -> None:
        table, public = self.table, {name: one for name, one in self.domains.items() if one.public}
        private = table.hierarchies or table.population is not None or table.held is not None
        if not private and len(public) == len(self.domains):
            return
        inside = _Apart(
            table.frame, table.hierarchies, table.population, table.held, self.domains, table.sources
        )
        bare = replace(table, hierarchies={}, population=None, held=None, sources=None)
        for name, value in {"table": bare, "domains": public, "seal": keep_apart(inside)}.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        promised = "".join(f", {promise.model or promise.name}" for promise in self.promises)
        return f"TableRelease({self.released:,} of {self.rows:,} rows, {self.method}{promised})"

    def __copy__(self) -> TableRelease:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> TableRelease:
        return self

    def __getstate__(self) -> dict[str, Any]:
        # A pickle travels as the manifest does.
        return vars(self._as_told())

    def _repr_html_(self) -> str:
        # A notebook is saved and passed on with all that it shows.
        told = self._as_told()
        tables, inside = told.to_tables(), [name for name in self.losses if name not in told.losses]
        tables["release"].append([", ".join(inside).replace("_", " "), "in release.losses, for you alone"])
        return as_html(tables)

    def _as_told(self) -> TableRelease:
        """The same without what could confirm a guess at the original: exact losses, remarks that count."""
        from shoal.tables.published_losses import published_losses, published_optimal

        losses, optimal = published_losses(self.losses, declared=False), published_optimal(self)
        return replace(self, losses=losses, optimal=optimal, bound=None, tried=(), notes=(), seconds=0.0)

    def _apart(self) -> _Apart | None:
        found = find_kept(self.seal, _Apart)
        # Held columns belong to these rows, in this order.
        return found if found is not None and found.frame is self.table.frame else None

    def known_here(self) -> Table:
        """The released rows with all that this process knows of them; after unpickling, the rows alone.

        A population has the labels of the release, where the method gave all rows the same levels.
        """
        inside = self._apart()
        if inside is None:
            return self.table
        people, hierarchies = inside.population, inside.hierarchies
        if people is not None and self.levels is not None:
            people = people.with_columns(
                generalise(people[column], hierarchies[column], level)
                for column, level in self.levels.items()
            )
        return replace(
            self.table, hierarchies=hierarchies, population=people, held=inside.held, sources=inside.sources
        )

    @property
    def released(self) -> int:
        """Rows that go out."""
        return self.table.rows

    @property
    def suppressed(self) -> int:
        """Rows that do not."""
        return self.rows - self.released

    def seen(self) -> Classes:
        """The released rows as a model sees them: grouped anew, with nothing of the search."""
        return self.seen_in(self.table.frame)

    def seen_in(self, frame: pl.DataFrame, weights: NDArray[np.int64] | None = None) -> Classes:
        """The rows that this release was written to, row by row, as a model sees them.

        `weights` is for distinct rows of a table in an engine: how many each stands for.
        """
        own, inside = self.known_here(), self._apart()
        table = replace(
            own.with_frame(frame), held=own.held, weights=own.weights if weights is None else weights
        )
        domains = self.domains if inside is None else inside.domains
        return replace(Classes.of(table, domains), guarantees=self.guarantees)

    def promised(self, promises: tuple[Promise, ...]) -> TableRelease:
        """The same release with the outcome of its check."""
        return replace(self, promises=promises)

    def noted(self, notes: Sequence[str]) -> TableRelease:
        """The same release with remarks for the person who asked for it."""
        return replace(self, notes=(*self.notes, *notes))

    def to_polars(self) -> pl.DataFrame:
        """The released rows."""
        if self.table.weights is not None:
            raise BadParameter(
                "the released rows stay in the engine; read the table that they were written to"
            )
        return self.table.frame

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal table protect --json` prints."""
        return {
            "rows": self.rows,
            "released": self.released,
            "suppressed": self.suppressed,
            "suppress": self.allowed,
            "classes": self.classes,
            "method": self.method,
            "optimal": self.optimal,
            "bound": None if self.bound is None else number(self.bound),
            "tried": [attempt.to_json() for attempt in self.tried],
            "levels": None if self.levels is None else dict(self.levels),
            "models": [promise.to_json() for promise in self.promises],
            "losses": {name: number(value) for name, value in self.losses.items()},
            "undeclared": list(self.decisions.nobodys),
            "decided": dict(self.decisions.by),
            "seconds": self.seconds,
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        most = "" if self.allowed is None else f"; up to {100 * self.allowed:g} % allowed"
        how = self.method + {True: ", proved optimal", False: ", best so far", None: ""}[self.optimal]
        figures = [
            ["figure", "value"],
            ["rows released", f"{self.released:,} of {self.rows:,}"],
            ["rows suppressed", f"{self.suppressed:,} ({self.suppressed / self.rows:.2%}{most})"],
            ["method", how + (", chosen by auto" if self.tried else "")],
        ]
        if self.decisions.nobodys:
            figures.append(["columns without a role", self.decisions.words()])
        for name, value in self.losses.items():
            figures.append([name.replace("_", " "), f"{value:,.6g}"])
        tables = {"promises": promise_rows(self.promises), "release": figures}
        if self.levels is not None:
            hierarchies = self.known_here().hierarchies
            heights = {column: str(hierarchy.height) for column, hierarchy in hierarchies.items()}
            tables["levels"] = [
                ["column", "level", "of"],
                *([column, str(level), heights.get(column, "–")] for column, level in self.levels.items()),
            ]
        if self.tried:
            tables["tried by auto"] = [
                ["method", "cost", "seconds", ""],
                *(
                    [
                        one.method,
                        "–" if one.cost is None else f"{one.cost:,.6g}",
                        f"{one.seconds:.2f}",
                        one.reason or ("taken" if one.method == self.method else ""),
                    ]
                    for one in self.tried
                ),
            ]
        return tables


TableModel = ClassModel[Classes]
TableMethod = Method[Table, TableModel, TableRelease]
