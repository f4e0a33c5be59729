"""What an answer says of itself is so: `error` beside the errors that are made, 95 % intervals that hold.

A public group is a repetition: all of them hold the same rows, and each gets noise of its own.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest

from shoal.queries.answering.assemble_answer import make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise
from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Table
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

pytestmark = pytest.mark.slow

MANY, SOME = 3_000, 400  # repetitions, and of quantiles
# Evenly spaced shares of a bell: the error of a quantile rests on the few rows around it, and no two are odd.
X = np.array([NormalDist(400, 90).inv_cdf((n + 0.5) / 2_000) for n in range(2_000)])
KINDS = {
    "COUNT(*)": 2_000.0,
    "SUM(x)": float(X.sum()),
    "AVG(x)": float(X.mean()),
    "VAR_POP(x)": float(X.var()),
    "STDDEV_POP(x)": float(X.std()),
    "AVG(x), COUNT(*)": 2_000.0,
    "VAR_POP(x), AVG(x), SUM(x)": float(X.sum()),
    "SUM(x) / COUNT(*)": float(X.mean()),
    "MEDIAN(x)": float(np.median(X)),
    "QUANTILE_CONT(x, 0.8)": float(np.quantile(X, 0.8)),
}


@cache
def dataset(groups: int) -> tuple[Dataset, DuckStore]:
    columns = (
        Column("id", "integer"),
        Column("g", "integer", keys=tuple(range(groups)), missing=False),
        Column("x", "number", 0, 1000),
    )
    declared = Dataset("d", (Table("t", columns, unit="id"),), Budget(Fraction(100)))
    made = DuckStore(declared)
    made.load("t", pl.DataFrame({"id": np.arange(len(X)), "g": np.zeros(len(X), np.int64), "x": X}))
    return declared, made


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("what", KINDS)
def test_the_error_is_the_one_made_and_intervals_hold(what: str, accounting: Accounting) -> None:
    chosen = what.startswith(("MEDIAN", "QUANTILE"))
    declared, made = dataset(SOME if chosen else MANY)
    query = plan(f"SELECT {what} FROM t GROUP BY g", declared, made)
    groups = pl.DataFrame({"k0": np.arange(SOME if chosen else MANY)})
    frames = [groups.join(part.drop("k0"), how="cross") for part in made.run(selects(query))]
    shares = Shares(accounting, Fraction(1), Fraction(0), query.parts)
    answer = make_answer(query, add_noise(query, frames, shares))
    found, true = np.array([row[-1] for row in answer.rows], np.float64), KINDS[what]
    told = list(answer.error.values())[-1]
    # Of a quantile that is hardly a row off, more is told than is made: the law of the rank has no steps.
    made_in_fact, most = float(np.abs(found - true).mean()), 1.7 if chosen else 1.2
    assert told is not None and 0.8 * made_in_fact <= told <= most * made_in_fact
    cells = [row[-1] for row in answer.interval]
    slack = 1e-6 * abs(true)
    held = np.mean([cell is not None and cell[0] - slack <= true <= cell[1] + slack for cell in cells])
    # 95 % ± 1.5, and four standard errors; a quantile has it wider, and a count by whole numbers.
    assert held >= 0.935 - 4 * (0.05 * 0.95 / len(cells)) ** 0.5
    assert chosen or what == "COUNT(*)" or held <= 0.965 + 4 * (0.05 * 0.95 / len(cells)) ** 0.5
