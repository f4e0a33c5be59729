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
    place = (incomes - 500) / 500  # from -1 to 1 between the bounds, 0 and 1000
    assert value("COUNT(*)", 3) == 3
    two = ((1 - place) / 2).sum(), ((1 + place) / 2).sum()
    assert value("AVG(income)", *two) == pytest.approx(incomes.mean())
    assert value("COUNT(*) + 0 * SUM(income)", *two, 2) == 5  # two of them without an income
    assert value("SUM(income) + 0 * COUNT(*)", *two, 2) == pytest.approx(incomes.sum())
    query = plan("SELECT VAR_POP(income) FROM people", dataset(), usual())
    wide = query.primitives[0].reach ** 0.5 / 2 * float(2**-6)  # steps of 1/64: one more than the bound
    place = (incomes - 500) / wide
    three = ((1 - place) ** 2 / 4).sum(), ((1 - place**2) / 2).sum(), ((1 + place) ** 2 / 4).sum()
    assert value("VAR_POP(income)", *three) == pytest.approx(incomes.var())
    assert value("VAR_SAMP(income)", *three) == pytest.approx(incomes.var(ddof=1))
    assert value("STDDEV_POP(income)", *three) == pytest.approx(incomes.std())
    assert value("STDDEV_SAMP(income)", *three) == pytest.approx(incomes.std(ddof=1))


def test_impossible_numbers_give_what_the_bounds_allow() -> None:
    assert value("AVG(income)", -9e9, 8e9) == 1000 and value("AVG(income)", 9e9, -9e9) == 0
    assert value("VAR_POP(income)", -1e9, 2, -1e9) == 0
    assert value("VAR_POP(income)", 1e9, -1e9, 1e9) == 250_000
    assert value("STDDEV_SAMP(income)", 1e9, -2e9, 1e9) == 500
