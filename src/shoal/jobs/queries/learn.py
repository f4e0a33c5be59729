"""Learn from private rows with one of the algorithms on top: paid for before a row is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import catalog
from shoal.core.errors import BadParameter, Unanswered
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.core.part_syntax import spell
from shoal.engines.files import read_frame
from shoal.engines.frames import to_frame
from shoal.jobs.queries.ask import BudgetLedger, remote
from shoal.jobs.queries.declare import epsilon_from, pairs_of
from shoal.jobs.queries.durable_ledger import open_durable_ledger
from shoal.jobs.queries.requests import LearnQuery
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.execution import FAILED
from shoal.queries.learner import STEPS, Learner

OWNER = "owner"
UNIT = "rows, one row"  # what ε hides: costs of two kinds do not add up


@dataclass(frozen=True)
class Lesson(Shown):
    """What was learned, what it cost and what is left. Nothing else in here depends on the rows."""

    mechanism: str
    columns: tuple[str, ...]
    learned: Mapping[str, Json]
    spent: Mapping[str, float]
    remaining: Mapping[str, float]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal query learn --json` prints."""
        return {
            "mechanism": self.mechanism,
            "columns": list(self.columns),
            "learned": dict(self.learned),
            "spent": dict(self.spent),
            "remaining": dict(self.remaining),
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        """One line per row of each list, and the budget."""
        tables: dict[str, list[list[str]]] = {}
        for name, value in self.learned.items():
            if isinstance(value, list) and value and isinstance(value[0], list):
                tables[name] = [list(self.columns), *([f"{x:.6g}" for x in row] for row in value)]
            else:
                several = value if isinstance(value, list) else [value]
                tables.setdefault("figures", [["figure", "value"]]).append(
                    [name, ", ".join(f"{x:.6g}" for x in several)]
                )
        told = {"this question": self.spent, "left": self.remaining}
        rows = [
            [what, *(f"{sums.get(part, 0.0):.6g}" for part in ("epsilon", "delta"))]
            for what, sums in told.items()
        ]
        return {**tables, "budget": [["", "ε", "δ"], *rows]}


def learn_query(job: LearnQuery) -> Lesson:
    """What an algorithm finds; its cost is noted for good before a row is looked at."""
    made = catalog.part_of("mechanism", job.mechanism, "query")
    if not isinstance(made, Learner):
        able = [
            name
            for name in catalog.names("mechanism")
            if issubclass(catalog.find("mechanism", name), Learner)
        ]
        raise BadParameter(f"{made.name} does not learn from rows; there is {', '.join(able)}")
    epsilon, delta = epsilon_from(made.epsilon), made.failure
    bounds = {column: _range(column, value) for column, value in pairs_of("bounds", job.bounds).items()}
    if not bounds:
        raise BadParameter(
            f"{made.name} needs to know what each column may be; give --bounds COLUMN=LOW:HIGH "
            "for every column it should look at, from common knowledge and never from the data"
        )
    made.check(len(bounds))
    frame = _read(job.data)
    label = _label(job.label, made, frame)
    for column in bounds:
        if column not in frame.columns:
            raise BadParameter(f"no column '{column}'; there is {', '.join(frame.columns)}")
    books, notes = _books(job, epsilon, delta)
    with books.ledger as ledger:
        counting = accounting_of(books.accounting)
        limit = counting.limit(books.budget)
        ledger.open(UNIT, limit, "refuse", books.accounting)
        ledger.grant(UNIT, OWNER, limit)
        reservation = ledger.reserve(UNIT, OWNER, counting.cost(epsilon, delta), spell(made))
        try:
            learned = made.release(_points(frame, bounds, label))
            lows, highs = zip(*bounds.values(), strict=True)
            told = made.told(learned, lows, highs)
        except Exception:
            raise Unanswered(FAILED) from None
        return Lesson(
            spell(made),
            tuple(bounds),
            told,
            counting.figures(reservation.cost),
            counting.left(reservation.remaining),
            (*notes, "every row counts as a person; somebody with several rows is hidden that much less"),
        )


def _read(data: Any) -> pl.DataFrame:
    if data is None:
        raise BadParameter("no rows given; name a file, as in --data points.csv")
    return read_frame(data, private=True) if isinstance(data, str | Path) else to_frame(data)


def _range(column: str, value: Any) -> tuple[float, float]:
    pieces = (
        value.split(":") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    )
    try:
        low, high = (float(piece) for piece in pieces)
    except (TypeError, ValueError):
        raise BadParameter(f"--bounds takes {column}=LOW:HIGH, as in {column}=0:120, not {value!r}") from None
    if not -1e300 < low < high < 1e300:
        raise BadParameter(f"--bounds {column}={low:g}:{high:g} is no range; give the lower bound first")
    return low, high


def _label(label: Any, made: Any, frame: pl.DataFrame) -> tuple[str, str] | None:
    if not made.labelled:
        if label is not None:
            raise BadParameter(f"{made.name} has no use for a label; leave --label out")
        return None
    column, sign, value = str(label or "").partition("=")
    if not sign or column not in frame.columns:
        raise BadParameter(
            f"{made.name} needs to know which rows are of the kind sought; give --label COLUMN=VALUE, with "
            f"a column of {', '.join(frame.columns)}"
        )
    return column, value


def _points(
    frame: pl.DataFrame, bounds: Mapping[str, tuple[float, float]], label: tuple[str, str] | None
) -> NDArray[np.int64]:
    """Rows as whole steps between bounds; one with a cell that is no number is left out, by itself."""
    columns = []
    for column, (low, high) in bounds.items():
        values = frame[column].cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy()
        share = (np.clip(values, low, high) - low) / (high - low)
        columns.append(np.where(np.isnan(values), -1, np.floor(np.nan_to_num(share) * STEPS + 0.5)))
    if label is not None:
        columns.append((frame[label[0]].cast(pl.String) == label[1]).fill_null(False).to_numpy())
    rows = np.stack(columns, axis=1).astype(np.int64)
    return np.asarray(rows[(rows >= 0).all(axis=1)])


def _books(job: LearnQuery, epsilon: Any, delta: Any) -> tuple[BudgetLedger, tuple[str, ...]]:
    """The ledger that was named, else one for this question alone."""
    if job.ledger is None:
        if job.budget is not None:
            raise BadParameter("where should the budget be remembered? Name a file with --ledger")
        note = "no budget is kept from one call to the next; --budget E --ledger FILE keeps one"
        return BudgetLedger.for_one(None if delta else "pure", epsilon, delta or None, None), (note,)
    if job.budget is None and not remote(job.ledger) and not Path(job.ledger).exists():
        raise BadParameter(f"there is no ledger '{job.ledger}' yet; begin one with --budget E")
    return open_durable_ledger(None, job.budget, None, job.ledger, UNIT), ()
