"""Intervals of outputs that fold, clamp or break off: they hold the truth in groups of few or none, too."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from shoal.queries.answering.assemble_answer import AnswerRows, make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise
from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Table
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore
from work import calls_of

pytestmark = pytest.mark.slow

GROUPS = 1_000  # each a repetition
TABLE = Table(
    "t",
    (
        Column("id", "integer"),
        Column("g", "integer", keys=tuple(range(GROUPS)), missing=False),
        Column("x", "number", 0, 1000),
        Column("y", "integer", -5, 20),
    ),
    unit="id",
)
DATASET = Dataset("d", (TABLE,), Budget(Fraction(100)))
VALUES = [390.0, 401.0, 480.0]


def ask(what: str, values: list[float], epsilon: str, accounting: Accounting = "pure") -> AnswerRows:
    made = DuckStore(DATASET)
    rows = [(n, 0, x, n % 3) for n, x in enumerate(values)]
    kinds = {"id": pl.Int64, "g": pl.Int64, "x": pl.Float64, "y": pl.Int64}
    made.load("t", pl.DataFrame(rows, schema=kinds, orient="row"))
    query = plan(f"SELECT {what} FROM t GROUP BY g", DATASET, made)
    groups = pl.DataFrame({"k0": np.arange(GROUPS)})
    frames = [groups.join(part.drop("k0"), how="cross") for part in made.run(selects(query))]
    return make_answer(
        query, add_noise(query, frames, Shares(accounting, Fraction(epsilon), Fraction(0), query.parts))
    )


def held(told: AnswerRows, truth: float) -> float:
    cells = [cell for (cell,) in told.interval]
    return float(np.mean([cell is not None and cell[0] - 1e-2 <= truth <= cell[1] + 1e-2 for cell in cells]))


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "10"])
@pytest.mark.parametrize(
    ("what", "values", "truth"),
    [
        ("ABS(SUM(y))", [], 0.0),
        ("ABS(SUM(y))", VALUES, 3.0),
        ("SQRT(COUNT(*))", [], 0.0),
        ("SQRT(COUNT(*))", VALUES, 3**0.5),
        ("GREATEST(COUNT(*), 0)", VALUES, 3.0),
        ("AVG(x)", VALUES, float(np.mean(VALUES))),
        ("VAR_POP(x)", VALUES, float(np.var(VALUES))),
        ("STDDEV_SAMP(x)", VALUES, float(np.std(VALUES, ddof=1))),
        ("100 * COUNT(*) FILTER (WHERE x > 400) / COUNT(*)", VALUES, 200 / 3),
    ],
)
def test_few_rows_and_none_are_covered(
    what: str, values: list[float], truth: float, epsilon: str, accounting: Accounting
) -> None:
    # 95 % of 1,000, less five standard errors.
    assert held(ask(what, values, epsilon, accounting), truth) >= 0.915


def test_a_clamped_formula_is_hardly_ever_sure_of_its_bound() -> None:
    """An average of nobody is any number, though all noise simulated around it may say the same bound."""
    for epsilon in ("0.01", "1"):
        cells = [cell for (cell,) in ask("AVG(x)", [], epsilon).interval if cell is not None]
        assert len(cells) == GROUPS
        # Only where the noise itself was beyond its 95 %.
        assert np.mean([high - low < 1 for low, high in cells]) < 0.085


def test_large_groups_keep_their_tight_intervals() -> None:
    chance = np.random.default_rng(1)
    values = chance.normal(400, 100, 2_000).clip(0, 1000).tolist()
    for what, most in (("AVG(x)", 3.3), ("VAR_POP(x)", 2_700)):
        widths = [cell[1] - cell[0] for (cell,) in ask(what, values, "1").interval if cell is not None]
        assert len(widths) == GROUPS and np.median(widths) < most


def test_many_groups_are_worked_out_together() -> None:
    ask("AVG(x), STDDEV(x)", VALUES, "1")  # the first one loads what it needs
    assert calls_of(lambda: ask("AVG(x), STDDEV(x)", VALUES, "1")) < 500 * GROUPS  # about 50 each
