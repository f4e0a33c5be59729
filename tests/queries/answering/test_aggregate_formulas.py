"""Formulas over noisy numbers, against numpy and beyond what data can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from queries.clinic import dataset, usual
from shoal.queries.answering.aggregate_formulas import values_of
from shoal.queries.sql.planner import plan


def value(what: str, *primitives: float) -> Any:
    query = plan(f"SELECT {what} FROM people", dataset(), usual())
    return float(values_of(query, [np.array([number]) for number in primitives], [])["a0"][0])


def test_exact_numbers_give_exact_aggregates() -> None:
    incomes = np.array([100.0, 350.0, 800.0])
    moved = incomes - 500
    assert value("COUNT(*)", 3) == 3
    assert value("AVG(income)", moved.sum(), 3) == pytest.approx(incomes.mean())
    sums = moved.sum(), (moved**2).sum(), 3
    assert value("VAR_POP(income)", *sums) == pytest.approx(incomes.var())
    assert value("VAR_SAMP(income)", *sums) == pytest.approx(incomes.var(ddof=1))
    assert value("STDDEV_POP(income)", *sums) == pytest.approx(incomes.std())
    assert value("STDDEV_SAMP(income)", *sums) == pytest.approx(incomes.std(ddof=1))


def test_impossible_numbers_give_what_the_bounds_allow() -> None:
    assert value("AVG(income)", 9e9, -4) == 1000 and value("AVG(income)", -9e9, 0) == 0
    assert value("VAR_POP(income)", 0, -1e9, 2) == 0
    assert value("VAR_POP(income)", 0, 1e12, 2) == 250_000
    assert value("STDDEV_SAMP(income)", 0, 1e12, 1) == 500
