"""What comes back: an answer, an estimate before one, and the state of a budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.notebook import Framed, Shown
from shoal.core.outcome import Json, Rows, Tables, number
from shoal.queries.declaration.declaration import Value

Interval = tuple[float, float]
MISSING = "–"
LOPSIDED = 1.5  # from here on one half of an interval is that much wider, and ± would mislead
_SIGNS = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ"}


@dataclass(frozen=True)
class Answer(Framed, Shown):
    """Noisy numbers, how far off they may be, what they cost and what is left."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    error: Mapping[str, float | None]  # how far off a column is on average; None for keys
    interval: tuple[tuple[Interval | None, ...], ...]  # 95 %, for every cell; None for keys
    spent: Mapping[str, float]
    remaining: Mapping[str, float]
    notes: tuple[str, ...] = ()
    archived: bool = False  # whether it was told before, and so cost nothing
    query: str = ""  # the question as it was understood
    id: int | None = None  # of its entry in the ledger
    trouble: BaseException | None = field(default=None, compare=False, repr=False)  # for the owner's log
    leaves: Callable[[], None] | None = field(default=None, compare=False, repr=False)  # called when it does

    def to_json(self) -> dict[str, Json]:
        return {
            "columns": list(self.columns),
            "rows": [[_plain(value) for value in row] for row in self.rows],
            "error": _figures(self.error),
            "interval": [[_pair(cell) for cell in row] for row in self.interval],
            "spent": _figures(self.spent),
            "remaining": _figures(self.remaining),
            "notes": list(self.notes),
            "archived": self.archived,
            "query": self.query,
            "id": self.id,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Answer:
        """An answer from its JSON document."""
        return cls(
            columns=tuple(document["columns"]),
            rows=tuple(map(tuple, document["rows"])),
            error=dict(document["error"]),
            interval=tuple(
                tuple(None if cell is None else (cell[0], cell[1]) for cell in row)
                for row in document["interval"]
            ),
            spent=dict(document["spent"]),
            remaining=dict(document["remaining"]),
            notes=tuple(document["notes"]),
            archived=bool(document["archived"]),
            query=str(document.get("query", "")),
            id=document.get("id"),
        )

    def to_tables(self) -> Tables:
        noisy = [any(row[place] is not None for row in self.interval) for place in range(len(self.columns))]
        head = [
            f"{name} (± 95 %)" if uncertain else name
            for name, uncertain in zip(self.columns, noisy, strict=True)
        ]
        cells = [
            [value_text(value, interval) for value, interval in zip(row, intervals, strict=True)]
            for row, intervals in zip(self.rows, self.interval, strict=True)
        ]
        cost = "this question, told before" if self.archived else "this question"
        return {
            "answer": [head, *cells],
            "budget": _privacy({cost: self.spent, "left": self.remaining}),
        }

    def to_frame(self) -> pl.DataFrame:
        """The answer as a frame, one row per group."""
        places = range(len(self.columns))
        return pl.DataFrame(
            [
                pl.Series(name, [row[place] for row in self.rows], strict=False)
                for name, place in zip(self.columns, places, strict=True)
            ]
        )

    def to_polars(self) -> pl.DataFrame:
        """The answer as a frame, one row per group."""
        return self.to_frame()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "trouble": None, "leaves": None}  # what the engine said may quote rows

    def to_chart(self) -> dict[str, Any]:
        """The answer as a picture: a Vega-Lite document."""
        from shoal.queries.answer_chart import picture

        return picture(self)


@dataclass(frozen=True)
class CostEstimate(Shown):
    """What a question would cost and how far off its answer would be. Nothing was spent, no row was read."""

    columns: tuple[str, ...]
    error: Mapping[str, float | None]
    cost: Mapping[str, float]
    remaining: Mapping[str, float]
    notes: tuple[str, ...] = ()
    interval: Mapping[str, float | None] = field(default_factory=dict)  # half the width that holds 95 %

    def to_json(self) -> dict[str, Json]:
        return {
            "columns": list(self.columns),
            "error": _figures(self.error),
            "interval": _figures(self.interval),
            "cost": _figures(self.cost),
            "remaining": _figures(self.remaining),
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> CostEstimate:
        """An estimate from its JSON document; an older service tells no interval."""
        maps = {name: dict(document.get(name, {})) for name in ("error", "cost", "remaining", "interval")}
        return cls(columns=tuple(document["columns"]), notes=tuple(document["notes"]), **maps)

    def to_tables(self) -> Tables:
        told = (self.error, self.interval)
        errors = [[name, *(_short(figures.get(name)) for figures in told)] for name in self.columns]
        return {
            "expected error": [["column", "off by about", "95 % within ±"], *errors],
            "budget": _privacy({"it would cost": self.cost, "left now": self.remaining}),
        }


@dataclass(frozen=True)
class BudgetState(Shown):
    """What an analyst was granted, what is spent and what is left."""

    dataset: str
    analyst: str | None  # None for all together
    limit: Mapping[str, float]
    spent: Mapping[str, float]
    remaining: Mapping[str, float]
    policy: str
    accounting: str
    renews: Mapping[str, Any] | None = None  # every, period, spent_in_all, in_words; limit is for each period

    def to_json(self) -> dict[str, Json]:
        return {
            "dataset": self.dataset,
            "analyst": self.analyst,
            "limit": _figures(self.limit),
            "spent": _figures(self.spent),
            "remaining": _figures(self.remaining),
            "policy": self.policy,
            "accounting": self.accounting,
            "renews": None if self.renews is None else dict(self.renews),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> BudgetState:
        """A state from its JSON document."""
        told: dict[str, Any] = {name: dict(document[name]) for name in ("limit", "spent", "remaining")}
        told |= {name: str(document[name]) for name in ("dataset", "policy", "accounting")}
        return cls(analyst=document["analyst"], renews=document.get("renews"), **told)

    def to_tables(self) -> Tables:
        return {
            "budget": _privacy({"granted": self.limit, "spent": self.spent, "left": self.remaining}),
            "terms": [
                ["data set", "analyst", "when it is spent", "accounting"],
                [self.dataset, self.analyst or "all together", self.policy, self.accounting],
            ],
            **({} if self.renews is None else {"renewal": [["over time"], [str(self.renews["in_words"])]]}),
        }


@dataclass(frozen=True)
class Uncertainty:
    """How far simulated answers lie apart, per group; not a number where all of them are null."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    error: NDArray[np.float64]  # mean distance from the median

    @property
    def cells(self) -> list[Interval | None]:
        """The interval of every group."""
        pairs = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return [None if math.isnan(low) else (low, high) for low, high in pairs]

    @property
    def average(self) -> float | None:
        """The error over all groups."""
        known = self.error[np.isfinite(self.error)]
        return float(known.mean()) if len(known) else None


def spread(draws: NDArray[np.float64]) -> Uncertainty:
    """The middle 95 % of simulated answers (draws × groups) and their mean distance from the median."""
    # Sorted once, nulls last: numpy's own quantiles with nulls go through Python for every group.
    ranked = np.sort(draws, axis=0)
    counts = np.sum(~np.isnan(draws), axis=0)

    def quantile(share: float) -> NDArray[np.float64]:
        position = share * np.maximum(counts - 1, 0)
        below = np.floor(position).astype(np.intp)
        above = np.minimum(below + 1, np.maximum(counts - 1, 0))
        weight = position - below
        lower, upper = (np.take_along_axis(ranked, place[None, :], 0)[0] for place in (below, above))
        return np.asarray(lower * (1 - weight) + upper * weight)

    with np.errstate(all="ignore"):
        distance = np.abs(draws - quantile(0.5))
        error = np.nansum(distance, axis=0) / np.where(counts, counts, np.nan)
        return Uncertainty(quantile(0.025), quantile(0.975), error)


def value_text(value: Value, interval: Interval | None) -> str:
    """A value for people, with as many digits as its interval leaves meaningful."""
    if value is None:
        return MISSING
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if interval is None:
        return str(value) if isinstance(value, int) else f"{value:.6g}"
    below, above = value - interval[0], interval[1] - value
    wider, narrower = max(below, above), min(below, above)
    if not (math.isfinite(below) and math.isfinite(above) and wider > 0):
        return _fixed(value, 0 if isinstance(value, int) else 3)
    # Two digits of the error, and the value as far as these reach. Counts have no fractions.
    decimals = _decimals(wider, 2)
    decimals = min(decimals, 0) if isinstance(value, int) and wider >= 1 else decimals
    if wider > LOPSIDED * narrower:
        return (
            f"{_fixed(value, decimals)} ({_fixed(interval[0], decimals)} to {_fixed(interval[1], decimals)})"
        )
    return f"{_fixed(value, decimals)} ± {_fixed(wider, decimals)}"


def _fixed(value: float, decimals: int) -> str:
    if abs(value) >= 1e15 or decimals > 12:
        return f"{value:.3g}"
    # Adding zero takes the sign from a negative zero.
    return f"{round(float(value), decimals) + 0.0:,.{max(decimals, 0)}f}"


def _short(value: float | None) -> str:
    return MISSING if value is None or number(value) is None else _fixed(value, _decimals(value, 3))


def _decimals(value: float, digits: int) -> int:
    """How many decimals show so many digits of a number; fewer than none where it is large."""
    return digits - 1 - int(f"{value:.{digits - 1}e}".partition("e")[2])


def _privacy(lines: Mapping[str, Mapping[str, float]]) -> Rows:
    names = list(dict.fromkeys(name for line in lines.values() for name in line))
    return [
        ["", *(_SIGNS.get(name, name) for name in names)],
        *([title, *(_loss(line.get(name)) for name in names)] for title, line in lines.items()),
    ]


def _loss(value: float | None) -> str:
    return MISSING if number(value) is None else f"{value:.6g}"


def _plain(value: Value) -> Value:
    return number(value) if isinstance(value, float) else value


def _pair(cell: Sequence[float] | None) -> Json:
    return None if cell is None or not all(map(math.isfinite, cell)) else [float(end) for end in cell]


def _figures(figures: Mapping[str, float | None]) -> dict[str, Json]:
    return {name: number(value) for name, value in figures.items()}
