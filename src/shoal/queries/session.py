"""A data set and its ledger: reserve, then answer.

What a question costs is noted durably before the first row is read, and never given back. From there on an
analyst gets an answer whatever happens: whether one comes would tell about rows.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from polars.exceptions import PanicException

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Unanswered
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.answering.assemble_answer import AnswerRows, expected_error, make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise, nothing
from shoal.queries.budget_balance import budget_state
from shoal.queries.declaration.declaration import Budget, Dataset
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.query import Query
from shoal.queries.results import Answer, BudgetState, CostEstimate
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.store import Outdated, Store

FAILED = "the question could not be answered; what it cost stays spent"
KEPT = 50_000  # characters of recent questions whose plans are kept: some 5 kB for each at most
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
        self._plans: dict[tuple[str, int], Query] = {}
        self._unseen: Counter[str] = Counter()  # keys of answers on their way out
        self._lock = threading.Lock()
        self._closing = False
        ledger.open(dataset.name, self.books.limit(dataset.budget), dataset.policy, dataset.accounting)

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
        query = self._plan(sql)
        shares, cost = self._priced(query, epsilon, delta)
        key = self._key(query, shares, analyst)
        known = None if self._unseen[key] else self.ledger.recall(key)
        if known is not None:
            return self._again(known, analyst)
        reservation = self.ledger.reserve(self.dataset.name, analyst, cost, query.text)
        told, trouble = self._whatever_happens(query, sql, shares, within)
        answer = Answer(
            columns=tuple(output.name for output in query.outputs),
            rows=told.rows,
            error=told.error,
            interval=told.interval,
            spent=self.books.figures(cost),
            remaining=self.books.left(reservation.remaining),
            notes=self._notes(query, reservation.overdrawn),
            archived=False,
            query=query.text,
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
        query = self._plan(sql)
        shares, cost = self._priced(query, epsilon, delta)
        return CostEstimate(
            columns=tuple(output.name for output in query.outputs),
            error=expected_error(query, shares),
            cost=self.books.figures(cost),
            remaining=self.books.left(self.ledger.remaining(self.dataset.name, analyst)),
            notes=self._notes(query, overdrawn=False),
        )

    def budget(self, analyst: str = "owner") -> BudgetState:
        """What an analyst may still ask for."""
        return budget_state(self.ledger, self.dataset.name, analyst)

    def _plan(self, sql: str) -> Query:
        key = (sql, self.store.version)
        with self._lock:
            found = self._plans.get(key)
        if found is None:
            found = plan(sql, self.dataset, self.store)
            with self._lock:
                if sum(len(known) for known, _ in self._plans) + len(sql) > KEPT:
                    self._plans.clear()
                self._plans[key] = found
        return found

    def _priced(self, query: Query, epsilon: Fraction, delta: Fraction | None) -> tuple[Shares, Cost]:
        if epsilon <= 0:
            raise BadParameter(f"ε of {float(epsilon):g} buys no answer; it must be above 0")
        if not query.discovered:
            delta = Fraction(0)
        elif self.dataset.accounting == "pure":
            raise NotAllowed(
                "the groups of this question are found in the data, which needs a δ; declare their keys, "
                "or let the owner choose accounting = approximate"
            )
        elif delta is None:
            delta = self.dataset.budget.delta / SHARE
        elif not delta:
            raise BadParameter("a δ of 0 finds no groups in the data; give one such as 1e-9, or leave it out")
        shares = Shares(self.dataset.accounting, epsilon, delta, query.parts)
        # Noise that cannot be made is refused here, before anything is spent.
        expected_error(query, shares)
        for quantile in query.quantiles:
            shares.quantile(quantile)
        if query.discovered:
            _ = shares.selection(query.groups).threshold
        return shares, self.books.cost(epsilon, delta)

    def _whatever_happens(
        self, query: Query, sql: str, shares: Shares, within: float | None
    ) -> tuple[AnswerRows, BaseException | None]:
        """What there is to tell, and what went wrong if anything did."""
        until = None if within is None else time.monotonic() + within
        try:
            return self._answer(query, sql, shares, until), None
        except (Exception, PanicException) as error:  # Polars' panics are no Exception
            if self.trusted or self._closing:
                raise Unanswered(FAILED) from None
            return make_answer(query, add_noise(query, nothing(query), shares)), error

    def _answer(self, query: Query, sql: str, shares: Shares, until: float | None) -> AnswerRows:
        """Ask the store, add noise, and make the answer; again if a table was altered in between."""
        for _ in range(TRIES):
            asked = selects(query)
            within = None if until is None else max(0.0, until - time.monotonic())
            try:
                frames = self.store.run([*asked, *(check.select for check in query.checks)], within)
                facts = frames[len(asked) :]
                if all(
                    check.found(fact) <= check.most for check, fact in zip(query.checks, facts, strict=True)
                ):
                    return make_answer(query, add_noise(query, frames[: len(asked)], shares))
            except Outdated:
                pass  # as public as a table that has grown
            query = plan(sql, self.dataset, self.store)
            # With more rows for each, rows are no longer people: what was one number may be two now.
            shares = replace(shares, parts=query.parts)
        raise Unanswered(FAILED)

    def _key(self, query: Query, shares: Shares, analyst: str) -> str:
        """One key for the same question by the same analyst about the same rows at the same price.

        Another analyst's answer is not handed out: it would be knowledge beyond the own budget.
        """
        parts = [
            self.dataset.name,
            repr(self.dataset.tables),  # keys, groups and bounds may be declared anew for the same rows
            str(self.store.version),
            analyst,
            query.text,
            str(shares.epsilon),
            str(shares.delta),
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

    def _notes(self, query: Query, overdrawn: bool) -> tuple[str, ...]:
        notes = []
        if overdrawn:
            notes.append("the budget is overdrawn: more may be learned about single people than was promised")
        if query.discovered:
            notes.append("groups with few people are left out, chosen partly at random")
        return tuple(notes)
