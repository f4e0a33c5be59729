"""A number that is asked for first and the rows behind it, audited together: they cost no more than was paid.

The engine is one that makes the answer tell all it can: what is counted in the second place is a thousand
times the noisy number of the first, so that both are seen in one answer, and somebody moves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from sqlglot import exp

from queries.clinic import dataset, usual
from shoal.queries.answering.budget_split import Shares
from shoal.queries.execution import PricedQuestion, answer_alone
from shoal.queries.pricing import Price, price
from shoal.queries.query import Plan
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.store import Store
from statistical.audit import epsilon_from_below

pytestmark = pytest.mark.slow

EPSILON = Fraction(2)
NUMBER = 3_000
FAR = 1000
PEOPLE = 50


def engine(somebody: bool) -> Store:
    """Both times it counts somebody; the second time the number that it was asked with, many times over."""

    def run(selects: Sequence[exp.Select], *_: float | None) -> list[pl.DataFrame]:
        (select,) = selects
        where = select.args.get("where")
        written = [] if where is None else [part.name for part in where.find_all(exp.Literal)]
        known = 0 if not written else FAR * round(float(written[0]))
        return [pl.DataFrame({"x0": [known + somebody + (0 if written else PEOPLE)]})]

    return cast(Store, SimpleNamespace(run=run, dialect="duckdb"))


def seen(plan: Plan, priced: Price, somebody: bool, monkeypatch: pytest.MonkeyPatch) -> NDArray[np.int64]:
    of, store = dataset(accounting="pure"), engine(somebody)
    monkeypatch.setattr("shoal.queries.execution.price", lambda *_: priced)
    asked = PricedQuestion("", EPSILON, "ada", plan, priced, "")
    told = np.array([cast(Any, answer_alone(asked, of, store).rows[0][0]) for _ in range(NUMBER)], np.int64)
    first = (told + FAR // 2) // FAR
    # By Neyman and Pearson what speaks for somebody is how far both are on their side.
    found: NDArray[np.int64] = np.clip(first - PEOPLE, -4, 5) + np.clip(told - FAR * first, -4, 5)
    return found


def test_a_number_and_the_rows_behind_it_tell_no_more_than_was_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    of = dataset(accounting="pure")
    text = "SELECT COUNT(*) FROM people WHERE weight > (SELECT COUNT(*) FROM people)"
    plan = plan_question(text, of, usual(of))
    priced = price(of, plan, EPSILON, None)
    assert [share.epsilon for share in priced.shares] == [EPSILON / 2] * 2

    def bound(paid: Price) -> float:
        without, there = (seen(plan, paid, somebody, monkeypatch) for somebody in (False, True))
        return epsilon_from_below(without, there)

    assert bound(priced) <= float(EPSILON)
    # One that pays for the second part alone, as if the first were a number that was written down.
    twice = tuple(Shares(share.accounting, 2 * EPSILON, share.delta, 1) for share in priced.shares)
    broken = replace(priced, shares=twice)
    assert bound(broken) > float(EPSILON), "this test would not have noticed"
