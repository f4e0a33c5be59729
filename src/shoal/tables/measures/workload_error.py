"""How wrong counts are when they are asked of a release."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.core.randomness import generator
from shoal.tables.appraisal.side_by_side import Codes, LabelColumn, SideBySide
from shoal.tables.hierarchies.leaf_order import LeafOrder

Chosen = NDArray[np.bool_]  # per place of a line
Query = dict[str, Chosen]


@dataclass(frozen=True)
class WorkloadFigures:
    """The relative error of a workload: in the middle, on average, and what 95 % of queries stay below."""

    queries: int
    median: float
    mean: float
    percentile_95: float

    def to_json(self) -> dict[str, Json]:
        return {
            "queries": self.queries,
            "median": self.median,
            "mean": self.mean,
            "percentile_95": self.percentile_95,
        }


@dataclass(frozen=True)
class WorkloadError(Measure[SideBySide, WorkloadFigures]):
    """How far counts estimated from the release are off: |estimate − truth| / truth over random queries.

    A query counts the rows with certain values in `dimensions` quasi-identifiers and, where there is one, in
    a sensitive column; a predicate on numbers is a range, on others a set. Predicates are as wide as it takes
    for a share `selectivity` of the rows to be expected if columns were independent. A released label counts
    for the share of its leaves that the predicate asks for; suppressed rows are missing and counted as such.
    A truth below the share `floor` of the rows is replaced by it, so that queries for next to nobody do not
    decide. With one `seed` the queries are the same for every release of a table.

    Xiao & Tao, "Anatomy: simple and effective privacy preservation", 2006; LeFevre, DeWitt, Ramakrishnan,
    "Workload-aware anonymization", 2006; the floor is that of Xiao, Wang, Gehrke (Privelet), 2010.
    """

    name: ClassVar[str] = "workload-error"
    title: ClassVar[str] = "median error of random counts"

    queries: int = 1000
    dimensions: int = 2
    selectivity: float = 0.05
    floor: float = 0.001
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("queries", "dimensions"):
            if getattr(self, name) < 1:
                raise BadParameter(f"{name} is a whole number from 1 on, not {getattr(self, name)}")
        if not 0 < self.selectivity <= 1:
            raise BadParameter(f"selectivity is a share above 0 and up to 1, not {self.selectivity:g}")
        if not 0 <= self.floor <= 1:
            raise BadParameter(f"floor is a share of the rows from 0 to 1, not {self.floor:g}")
        if self.seed < 0:
            raise BadParameter(f"seed is a whole number from 0 on, not {self.seed}")

    def measure(self, pair: SideBySide) -> WorkloadFigures:
        columns = (*pair.quasi, *pair.sensitive)
        before = Tally.of([pair.before(column) for column in columns], columns)
        after = Tally.of([pair.after(column) for column in columns], columns)
        occurring = {
            column: np.unique(side.first) for column, side in zip(columns, before.columns, strict=True)
        }
        lines = {column: pair.line(column) for column in columns}
        asked = self.workload(pair.quasi, pair.sensitive, lines, occurring)
        truth = np.array([before.count(query) for query in asked])
        found = np.array([after.count(query) for query in asked])
        least = max(self.floor * pair.original.height, 1.0)
        errors = np.abs(found - truth) / np.maximum(truth, least)
        return WorkloadFigures(
            self.queries,
            float(np.median(errors)),
            float(errors.mean()),
            float(np.quantile(errors, 0.95)),
        )

    def workload(
        self,
        quasi: Sequence[str],
        sensitive: Sequence[str],
        lines: dict[str, LeafOrder],
        occurring: dict[str, Codes],
    ) -> list[Query]:
        """Random queries over the places that occur; the narrowest answer comes first."""
        chance = generator(self.seed)
        dimensions = min(self.dimensions, len(quasi))
        share = self.selectivity ** (1 / (dimensions + bool(sensitive)))
        made = []
        for _ in range(self.queries):
            chosen = [quasi[int(place)] for place in chance.choice(len(quasi), dimensions, replace=False)]
            if sensitive:
                chosen.insert(0, sensitive[int(chance.integers(len(sensitive)))])
            made.append(
                {column: _predicate(lines[column], occurring[column], share, chance) for column in chosen}
            )
        return made


def _predicate(line: LeafOrder, places: Codes, share: float, chance: np.random.Generator) -> Chosen:
    """A share of the values that occur: side by side where they are numbers, else any of them."""
    wanted = math.ceil(len(places) * share - 1e-9)
    chosen = np.zeros(len(line.leaf_at), bool)
    numbers = int(np.searchsorted(places, line.numbers))
    if numbers == len(places):
        start = int(chance.integers(len(places) - wanted + 1))
        chosen[places[start] : places[start + wanted - 1] + 1] = True
    else:
        chosen[chance.choice(places, wanted, replace=False)] = True
    return chosen


@dataclass(frozen=True, eq=False)
class Tally:
    """The distinct rows of a table, label by label, and how often each occurs."""

    columns: Sequence[LabelColumn]
    codes: dict[str, Codes]
    rows: NDArray[np.float64]

    @classmethod
    def of(cls, columns: Sequence[LabelColumn], names: Sequence[str]) -> Tally:
        frame = pl.DataFrame({f"{place}": column.codes for place, column in enumerate(columns)})
        # Sorted, because the last digits of a sum depend on the order.
        distinct = frame.group_by(frame.columns).agg(pl.len().alias("rows")).sort(frame.columns)
        codes = {name: distinct[f"{place}"].to_numpy() for place, name in enumerate(names)}
        return cls(columns, codes, distinct["rows"].to_numpy().astype(np.float64))

    def count(self, query: Query) -> float:
        """How many rows a query counts: a label by the share of its leaves that are asked for."""
        names = list(self.codes)
        weights, rows = self.rows, None
        for name, chosen in query.items():
            column = self.columns[names.index(name)]
            upto = np.concatenate(([0], np.cumsum(chosen)))
            shares = (upto[column.last + 1] - upto[column.first]) / column.width
            # Only rows that still count are looked up in the next column.
            codes = self.codes[name] if rows is None else self.codes[name][rows]
            alive = np.flatnonzero((shares > 0)[codes])
            weights = weights[alive] * shares[codes[alive]]
            rows = alive if rows is None else rows[alive]
        return float(weights.sum())
