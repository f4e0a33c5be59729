"""Outer answers are made of noisy numbers alone, and say how sure they are."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from queries.clinic import dataset, usual
from shoal.queries.answering import outer_answers
from shoal.queries.answering.budget_split import divide
from shoal.queries.answering.noise import Noisy, add_noise, nothing
from shoal.queries.answering.outer_answers import combine, expected_errors
from shoal.queries.query import Plan
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.questions import plan_question

STORE = usual()


def noisy(plan: Plan, epsilon: Fraction) -> list[Noisy]:
    shares = divide("approximate", epsilon, Fraction(1, 1000), plan.leaves)
    return [
        add_noise(leaf, STORE.run(selects(leaf)), share)
        for leaf, share in zip(plan.leaves, shares, strict=True)
    ]


def test_of_no_rows_an_answer_of_the_same_columns_is_made() -> None:
    plan = plan_question(
        "SELECT sex, COUNT(*) / SUM(COUNT(*)) OVER () FROM people GROUP BY sex", dataset(), STORE
    )
    shares = divide("approximate", Fraction(1), Fraction(0), plan.leaves)
    none = [add_noise(leaf, nothing(leaf), share) for leaf, share in zip(plan.leaves, shares, strict=True)]
    told = combine(plan, none, {})
    assert len(told.rows) == 3
    assert set(told.error) == set(plan.columns)


@pytest.mark.parametrize("key", ["(age > 30)", "((sex))", "FALSE", "'x'", "5", "DATE '2020-01-01'"])
def test_a_key_in_brackets_or_written_out_is_a_key_of_an_outer_query_too(key: str) -> None:
    # It ended in an error of ours, by the text alone: the fuzzer of neighbours found it.
    text = f"SELECT {key} AS k, COUNT(*) AS n, COUNT(*) / SUM(COUNT(*)) OVER () AS s FROM people GROUP BY 1"
    plan = plan_question(text, dataset(), STORE)
    told = combine(plan, noisy(plan, Fraction(10**6)), {})
    assert abs(sum(float(row[2] or 0) for row in told.rows) - 1) < 1e-3
    assert all(cell is not None for row in told.interval for cell in row[1:])


def test_simulated_intervals_hold_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer_answers, "QUICK", 60.0)  # a busy machine would do without
    plan = plan_question(
        "SELECT (SELECT COUNT(*) FROM people WHERE age > 30) * 1.0 / (SELECT COUNT(*) FROM people) AS share",
        dataset(),
        STORE,
    )
    held = 0
    for _ in range(20):
        told = combine(plan, noisy(plan, Fraction(4)), {})
        cell = told.interval[0][0]
        assert cell is not None
        held += cell[0] <= 29 / 40 <= cell[1]
    assert held >= 9  # 94 % of 20 in the mean; fewer than 9 once in 10⁹ times


def test_the_expected_error_is_that_of_the_leaf() -> None:
    plan = plan_question(
        "SELECT COUNT(*) AS n FROM people UNION ALL SELECT COUNT(*) FROM visits", dataset(), STORE
    )
    errors = expected_errors(plan, divide("approximate", Fraction(2), Fraction(0), plan.leaves))
    assert errors["n"] == pytest.approx(combine(plan, noisy(plan, Fraction(2)), {}).error["n"])


def test_two_leaves_cost_together_what_the_question_costs() -> None:
    """An audit: whoever charges two leaves as one is caught."""
    plan = plan_question(
        "SELECT (SELECT COUNT(*) FROM people WHERE sex = 'F') AS a, (SELECT COUNT(*) FROM people) AS b",
        dataset(),
        STORE,
    )
    epsilon, draws = Fraction(2), 20_000

    def loss(shares: list[Fraction]) -> float:
        """How far the chance that both numbers are at least the true ones falls when one woman goes."""
        there, gone = np.ones(draws, bool), np.ones(draws, bool)
        for leaf, share in zip(plan.leaves, shares, strict=True):
            noise = divide("approximate", share, Fraction(0), [leaf])[0].noise(leaf.primitives[0].reach)
            there &= noise.release(np.full(draws, 20)) >= 20
            gone &= noise.release(np.full(draws, 19)) >= 20
        return float(np.log(there.mean() / gone.mean()))

    honest = [share.epsilon for share in divide("approximate", epsilon, Fraction(0), plan.leaves)]
    assert sum(honest) == epsilon
    assert loss(honest) < float(epsilon) + 0.3
    assert loss([epsilon, epsilon]) > float(epsilon) + 1
