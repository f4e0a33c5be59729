"""A plan that was paid for, carried out: the store is asked, noise is added, the answer is made."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl
from sqlglot import exp

from shoal.core.errors import Unanswered
from shoal.queries.answering.assemble_answer import AnswerRows
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.earlier_values import filled_in, number_of
from shoal.queries.answering.noise import Noisy, add_noise, nothing
from shoal.queries.answering.outer_answers import combine
from shoal.queries.answering.single_row import answer_rows
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.pricing import Price, price
from shoal.queries.query import Plan, one_row
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.store import Outdated, Store

FAILED = "the question could not be answered; what it cost stays spent"
TRIES = 5  # until a public table that is growing stands still for one question
TOGETHER = 8  # questions in one statement


@dataclass(frozen=True, eq=False)
class PricedQuestion:
    """A question with its plan and its price, both public."""

    sql: str
    epsilon: Fraction
    analyst: str
    plan: Plan
    price: Price
    key: str  # of its answer in the archive


def answer_alone(
    asked: PricedQuestion, dataset: Dataset, store: Store, until: float | None = None
) -> AnswerRows:
    """Ask the store, add noise, and make the answer; again if a table was altered in between."""
    plan = asked.plan
    for _ in range(TRIES):
        priced = price(dataset, plan, asked.epsilon, asked.price.delta)
        try:
            if plan.prepared is not None:
                (row,) = store.rows([plan.prepared], _left(until))
                names = [f"x{index}" for index in range(len(row))]
                return combine(plan, _noisy(plan, [[one_row(names, row)]], priced.shares), {})
            told = _told(plan, priced.shares, store, until)
            if told is not None:
                return told
        except Outdated:
            pass  # as public as a table that has grown
        # With more rows for each, rows are no longer people: what was one number may be two now.
        plan = plan_question(asked.sql, dataset, store)
    raise Unanswered(FAILED)


def _told(plan: Plan, shares: Sequence[Shares], store: Store, until: float | None) -> AnswerRows | None:
    """The answer, noisy numbers that rows are compared with first; nothing if a public fact is no longer."""
    numbers: list[exp.Expression] = []
    for one in plan.earlier:
        number = len(one.plan.leaves)
        found = _counted(one.plan, numbers, shares[:number], store, until)
        if found is None:
            return None
        numbers.append(number_of(one, found))
        shares = shares[number:]
    return _counted(plan, numbers, shares, store, until)


def _counted(
    plan: Plan,
    numbers: Sequence[exp.Expression],
    shares: Sequence[Shares],
    store: Store,
    until: float | None,
) -> AnswerRows | None:
    made = [[filled_in(select, numbers) for select in selects(query)] for query in plan.leaves]
    checks = [check for query in plan.leaves for check in query.checks]
    publics = () if plan.outer is None else plan.outer.publics
    asked = [*itertools.chain(*made), *(check.select for check in checks), *(select for _, select in publics)]
    frames = iter(store.run(asked, _left(until)))
    leaves = [list(itertools.islice(frames, len(part))) for part in made]
    facts = list(itertools.islice(frames, len(checks)))
    if not all(check.found(fact) <= check.most for check, fact in zip(checks, facts, strict=True)):
        return None
    beside = {name: next(frames) for name, _ in publics}
    return combine(plan, _noisy(plan, leaves, shares), beside)


def answer_nothing(asked: PricedQuestion) -> AnswerRows:
    """The answer that there would be without any rows."""
    plan = asked.plan
    beside = {} if plan.outer is None else dict(plan.outer.empty)
    return combine(
        plan, _noisy(plan, [nothing(query) for query in plan.leaves], asked.price.own(plan)), beside
    )


def answer_together(
    asked: Sequence[PricedQuestion], store: Store, until: float | None = None
) -> list[AnswerRows | None]:
    """The answers to questions of plain numbers that are prepared, of each eight in one statement.

    None for each that is answered alone. What becomes of one question does not depend on what the others ask.
    """
    found: list[AnswerRows | None] = [None] * len(asked)
    ready = [
        (place, one.plan.prepared, one.price.single)
        for place, one in enumerate(asked)
        if one.plan.prepared is not None and one.price.single is not None
    ]
    for first in range(0, len(ready), TOGETHER):
        some = ready[first : first + TOGETHER]
        rows = store.rows([prepared for _, prepared, _ in some], _left(until))
        told = answer_rows([(single, row) for (_, _, single), row in zip(some, rows, strict=True)])
        for (place, _, _), answer in zip(some, told, strict=True):
            found[place] = answer
    return found


def _noisy(plan: Plan, frames: Sequence[Sequence[pl.DataFrame]], shares: Sequence[Shares]) -> list[Noisy]:
    return [add_noise(*leaf) for leaf in zip(plan.leaves, frames, shares, strict=True)]


def _left(until: float | None) -> float | None:
    return None if until is None else max(0.0, until - time.monotonic())
