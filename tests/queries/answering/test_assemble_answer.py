"""Answers from noisy numbers: formulas, order, and intervals that hold what they say."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from queries.clinic import dataset, person, store
from shoal.queries.answering.assemble_answer import AnswerRows, expected_error, make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise
from shoal.queries.declaration.declaration import Accounting
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan

PEOPLE = store(
    [person(n, sex="FM"[n % 2], age=n % 100, income=float(n % 1000), town="Ulm") for n in range(4000)], [], []
)
INCOMES = np.arange(4000) % 1000
TRUE = {
    "COUNT(*)": 4000.0,
    "SUM(income)": float(INCOMES.sum()),
    "AVG(income)": float(INCOMES.mean()),
    "VAR_POP(income)": float(INCOMES.var()),
    "STDDEV_POP(income)": float(INCOMES.std()),
    "SUM(income) / COUNT(*)": float(INCOMES.mean()),
    "MEDIAN(income)": 499.5,
    "QUANTILE_CONT(income, 0.9)": 899.5,
}


@cache
def counted(question: str) -> tuple[Any, Any]:
    """The plan and the exact numbers, which are the same every time; only noise is drawn anew."""
    query = plan(question, dataset(), PEOPLE)
    return query, PEOPLE.run(selects(query))


def ask(question: str, epsilon: int, accounting: Accounting = "approximate") -> AnswerRows:
    query, exact = counted(question)
    shares = Shares(accounting, Fraction(epsilon), Fraction(1, 10**6), query.parts)
    return make_answer(query, add_noise(query, exact, shares))


@pytest.mark.parametrize("accounting", ["approximate", pytest.param("zcdp", marks=pytest.mark.slow)])
@pytest.mark.parametrize("expression", TRUE)
def test_intervals_hold_the_truth_nineteen_times_in_twenty(expression: str, accounting: Accounting) -> None:
    held, rounds = 0, 60
    for _ in range(rounds):
        (interval,) = ask(f"SELECT {expression} FROM people", 1, accounting).interval[0]
        assert interval is not None
        held += interval[0] - 1 <= TRUE[expression] <= interval[1] + 1
    # 95 % of 60 are 57; fewer than 43 would happen less than once in ten million times.
    assert held >= 43


def test_order_limit_and_having_work_on_noisy_numbers() -> None:
    question = (
        "SELECT sex, COUNT(*) AS n FROM people GROUP BY sex HAVING COUNT(*) > 100 ORDER BY sex DESC LIMIT 1"
    )
    assert [row[0] for row in ask(question, 1000).rows] == ["M"]
    assert ask(f"{question} OFFSET 1", 1000).rows[0][0] == "F"
    assert ask(f"{question} OFFSET 2", 1000).rows == ()


def test_whole_numbers_stay_whole_and_keys_have_no_interval() -> None:
    told = ask("SELECT age, COUNT(*), AVG(income) FROM people GROUP BY age ORDER BY age LIMIT 3", 10)
    assert [row[0] for row in told.rows][1:] == [0, 1] or [row[0] for row in told.rows] == [0, 1, 2]
    assert all(isinstance(row[1], int) and isinstance(row[2], float) for row in told.rows)
    assert all(cells[0] is None and cells[1] is not None for cells in told.interval)


def test_an_expected_error_is_the_one_of_the_noise() -> None:
    query: Any = plan(
        "SELECT sex, COUNT(*) AS n, SUM(age) AS s, AVG(age) AS m FROM people GROUP BY sex", dataset(), PEOPLE
    )
    errors = expected_error(query, Shares("pure", Fraction(4), Fraction(0), query.parts))
    assert errors["sex"] is None
    # One part at ε = 4 of three numbers, two of them with a value; the third counts the rows without an age.
    assert errors["n"] == pytest.approx(15 / 8 / 4, rel=0.02)
    assert errors["s"] == pytest.approx(120 / 4, rel=0.02)
    assert errors["m"] == pytest.approx(60 * 1.5 / 4 / 1000, rel=0.1)


def test_an_error_is_expected_of_an_average_beside_a_quantile_too() -> None:
    # It was an IndexError, and 500 for whoever asked for an estimate.
    query: Any = plan("SELECT AVG(age) AS m, MEDIAN(income) AS d FROM people", dataset(), PEOPLE)
    errors = expected_error(query, Shares("pure", Fraction(4), Fraction(0), query.parts))
    assert errors["m"] == pytest.approx(60 * 1.5 / 2 / 1000, rel=0.2) and errors["d"] is None


def test_averages_stay_within_the_bounds_however_large_the_noise() -> None:
    for _ in range(50):
        (value,) = ask("SELECT AVG(income) FROM people WHERE age > 120", 1).rows[0]
        assert isinstance(value, float)
        assert 0 <= value <= 1000
