"""A data set and its ledger: reserve, then answer.

What a question costs is noted durably before the first row is read, and never given back. From there on an
analyst gets an answer whatever happens: whether one comes would tell about rows.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial

import polars as pl
from polars.exceptions import PanicException

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Unanswered
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.answering.assemble_answer import AnswerRows, expected_for
from shoal.queries.answering.budget_split import Shares, divide
from shoal.queries.answering.noise import Noisy, add_noise, noises_of, nothing
from shoal.queries.answering.outer_answers import combine, expected_errors, expected_widths
from shoal.queries.budget_balance import budget_state
from shoal.queries.declaration.declaration import Budget, Dataset
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.plan_cache import PlanCache
from shoal.queries.query import Plan
from shoal.queries.results import Answer, BudgetState, CostEstimate
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.store import Outdated, Store

FAILED = "the question could not be answered; what it cost stays spent"
PRICES = 16  # of one question that are remembered
TRIES = 5  # until a public table that is growing stands still for one question
SHARE = 1_000  # of the budget's δ a question gets so small a part when it asks for groups found in the data


class Session:
    """A live data set. Threads may share it."""

    def __init__(self, dataset: Dataset, store: Store, ledger: Ledger, trusted: bool = False) -> None:
        """`trusted`: whoever asks has the rows anyway, and is told when a question fails."""
        self.trusted = trusted
        self.dataset = dataset
        self.store = store
        self.ledger = ledger
        self.books = accounting_of(dataset.accounting)
        self._plans = PlanCache()
        self._unseen: Counter[str] = Counter()  # keys of answers on their way out
        self._lock = threading.Lock()
        self._closing = False
        limit = self.books.limit(dataset.budget)
        ledger.open(dataset.name, limit, dataset.policy, dataset.accounting, dataset.renews)

    def grant(self, analyst: str, budget: Budget | None = None) -> None:
        """Let somebody ask, within a budget of their own."""
        chosen = budget or self.dataset.each or self.dataset.budget
        self.ledger.grant(self.dataset.name, analyst, self.books.limit(chosen))

    def ask(
        self,
        sql: str,
        epsilon: Fraction,
        delta: Fraction | None = None,
        analyst: str = "owner",
        within: float | None = None,
        unseen: bool = False,
    ) -> Answer:
        """The answer to a question, its error and what it cost.

        What fails, or takes longer than `within` seconds, is answered as if there were no rows: the same
        noise, columns and charge. `Answer.trouble` says so to the owner; it is in no document that goes out.
        An `unseen` answer is not given again before its `leaves` was called: that it can be had again would
        tell that the question has ended.
        """
        plan = self._plan(sql, analyst)
        _, cost, delta = self._priced(plan, epsilon, delta)
        key = self._key(plan, epsilon, delta, analyst)
        known = None if self._unseen[key] else self.ledger.recall(key)
        if known is not None:
            return self._again(known, analyst)
        reservation = self.ledger.reserve(self.dataset.name, analyst, cost, plan.text)
        told, trouble = self._whatever_happens(plan, sql, epsilon, delta, within)
        answer = Answer(
            columns=plan.columns,
            rows=told.rows,
            error=told.error,
            interval=told.interval,
            spent=self.books.figures(cost),
            remaining=self.books.left(reservation.remaining),
            notes=(*self._notes(plan, reservation.overdrawn), *told.notes),
            archived=False,
            query=plan.text,
            id=reservation.id,
            trouble=trouble,
        )
        if unseen:
            with self._lock:
                self._unseen[key] += 1
            answer = replace(answer, leaves=lambda: self._seen(key))
        with suppress(ShoalError):  # an archive that is full costs money when asked again, not the answer
            self.ledger.remember(reservation, key, json.dumps(answer.to_json()))
        return answer

    def cancel(self) -> None:
        """End all questions at once, because the service stops. Those who asked get no answer."""
        self._closing = True
        self.store.cancel()

    def estimate(
        self, sql: str, epsilon: Fraction, delta: Fraction | None = None, analyst: str = "owner"
    ) -> CostEstimate:
        """What a question would cost and how far off it would be; nothing is spent, no row is read."""
        plan = self._plan(sql, analyst)
        shares, cost, _ = self._priced(plan, epsilon, delta)
        return CostEstimate(
            columns=plan.columns,
            error=expected_errors(plan, shares),
            cost=self.books.figures(cost),
            remaining=self.books.left(self.ledger.remaining(self.dataset.name, analyst)),
            notes=(*self._notes(plan, overdrawn=False), *expected_for(plan.leaves)),
            interval=expected_widths(plan, shares),
        )

    def budget(self, analyst: str = "owner") -> BudgetState:
        """What an analyst may still ask for."""
        return budget_state(self.ledger, self.dataset.name, analyst)

    def _plan(self, sql: str, analyst: str = "owner") -> Plan:
        make = partial(plan_question, dataset=self.dataset, store=self.store)
        return self._plans.plan(sql, analyst, self.dataset, self.store, make)

    def _priced(
        self, plan: Plan, epsilon: Fraction, delta: Fraction | None
    ) -> tuple[tuple[Shares, ...], Cost, Fraction]:
        """What each leaf gets of a question's ε and δ, what the question costs, and its δ."""
        known = plan.prices.get((epsilon, delta))
        if known is None:
            if len(plan.prices) >= PRICES:
                plan.prices.clear()
            known = plan.prices[epsilon, delta] = self._price(plan, epsilon, delta)
        found: tuple[tuple[Shares, ...], Cost, Fraction] = known
        return found

    def _price(
        self, plan: Plan, epsilon: Fraction, delta: Fraction | None
    ) -> tuple[tuple[Shares, ...], Cost, Fraction]:
        if epsilon <= 0:
            raise BadParameter(f"ε of {float(epsilon):g} buys no answer; it must be above 0")
        if not plan.discovered:
            delta = Fraction(0)
        elif not self.books.finds_groups:
            raise NotAllowed(
                "the groups of this question are found in the data, which needs a δ; declare their keys, "
                f"or let the owner choose accounting = {self.books.finds_groups_as}"
            )
        elif delta is None:
            delta = self.dataset.budget.delta / SHARE
        elif not delta:
            raise BadParameter("a δ of 0 finds no groups in the data; give one such as 1e-9, or leave it out")
        divided = divide(self.dataset.accounting, epsilon, delta, plan.leaves)
        for query, shares in zip(plan.leaves, divided, strict=True):
            # Noise that cannot be made is refused here, before anything is spent.
            noises_of(query, shares)
            for quantile in query.quantiles:
                shares.quantile(quantile)
            if query.crowd is not None:
                shares.threshold(query)
            elif query.discovered:
                shares.check_groups(query.groups)
        return divided, self.books.cost(epsilon, delta), delta

    def _whatever_happens(
        self, plan: Plan, sql: str, epsilon: Fraction, delta: Fraction, within: float | None
    ) -> tuple[AnswerRows, BaseException | None]:
        """What there is to tell, and what went wrong if anything did."""
        until = None if within is None else time.monotonic() + within
        try:
            return self._answer(plan, sql, epsilon, delta, until), None
        except (Exception, PanicException) as error:  # Polars' panics are no Exception
            if self.trusted or self._closing:
                raise Unanswered(FAILED) from None
            none = [nothing(query) for query in plan.leaves]
            beside = {} if plan.outer is None else dict(plan.outer.empty)
            return combine(plan, self._noisy(plan, none, epsilon, delta), beside), error

    def _answer(
        self, plan: Plan, sql: str, epsilon: Fraction, delta: Fraction, until: float | None
    ) -> AnswerRows:
        """Ask the store, add noise, and make the answer; again if a table was altered in between."""
        packed = self.store.dialect == "duckdb"
        for _ in range(TRIES):
            asked = [] if plan.prepared else [selects(query, packed) for query in plan.leaves]
            checks = [check for query in plan.leaves for check in query.checks]
            publics = () if plan.outer is None else plan.outer.publics
            within = None if until is None else max(0.0, until - time.monotonic())
            try:
                if plan.prepared is not None:
                    numbers = [self.store.row(plan.prepared, within)]
                    return combine(plan, self._noisy(plan, [numbers], epsilon, delta), {})
                frames = iter(
                    self.store.run(
                        [
                            *itertools.chain(*asked),
                            *(check.select for check in checks),
                            *(select for _, select in publics),
                        ],
                        within,
                    )
                )
                leaves = [list(itertools.islice(frames, len(part))) for part in asked]
                facts = list(itertools.islice(frames, len(checks)))
                if all(check.found(fact) <= check.most for check, fact in zip(checks, facts, strict=True)):
                    beside = {name: next(frames) for name, _ in publics}
                    return combine(plan, self._noisy(plan, leaves, epsilon, delta), beside)
            except Outdated:
                pass  # as public as a table that has grown
            # With more rows for each, rows are no longer people: what was one number may be two now.
            plan = plan_question(sql, self.dataset, self.store)
        raise Unanswered(FAILED)

    def _noisy(
        self, plan: Plan, frames: Sequence[Sequence[pl.DataFrame]], epsilon: Fraction, delta: Fraction
    ) -> list[Noisy]:
        shares, _, _ = self._priced(plan, epsilon, delta)
        return [add_noise(*leaf) for leaf in zip(plan.leaves, frames, shares, strict=True)]

    def _key(self, plan: Plan, epsilon: Fraction, delta: Fraction, analyst: str) -> str:
        """One key for the same question by the same analyst about the same rows at the same price.

        Another analyst's answer is not handed out: it would be knowledge beyond the own budget.
        """
        parts = [
            self.dataset.name,
            repr(self.dataset.tables),  # keys, groups and bounds may be declared anew for the same rows
            str(self.store.version),
            analyst,
            plan.text,
            str(epsilon),
            str(delta),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _seen(self, key: str) -> None:
        """An answer goes out, and may be given again from now on."""
        with self._lock:
            self._unseen[key] -= 1
            if not self._unseen[key]:
                del self._unseen[key]

    def _again(self, known: str, analyst: str) -> Answer:
        answer = Answer.from_json(json.loads(known))
        return replace(
            answer,
            archived=True,
            spent=self.books.figures(Cost()),
            remaining=self.books.left(self.ledger.remaining(self.dataset.name, analyst)),
        )

    def _notes(self, plan: Plan, overdrawn: bool) -> tuple[str, ...]:
        notes = []
        if overdrawn:
            notes.append("the budget is overdrawn: more may be learned about single people than was promised")
        if plan.discovered:
            notes.append("groups with few people are left out, chosen partly at random")
        return tuple(notes)
