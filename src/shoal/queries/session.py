"""A data set and its ledger: reserve, then answer.

What a question costs is noted durably before the first row is read, and never given back. From there on an
analyst gets an answer whatever happens: whether one comes would tell about rows.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from polars.exceptions import PanicException

from shoal.core.errors import ShoalError, Unanswered
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.answering.assemble_answer import AnswerRows, expected_for
from shoal.queries.answering.outer_answers import expected_errors, expected_widths
from shoal.queries.budget_balance import budget_state
from shoal.queries.declaration.declaration import Budget, Dataset
from shoal.queries.departures import Departures
from shoal.queries.execution import FAILED, PricedQuestion, answer_alone, answer_nothing, answer_together
from shoal.queries.ledger.entry import Reservation
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.plan_cache import PlanCache
from shoal.queries.pricing import price
from shoal.queries.query import Plan
from shoal.queries.results import Answer, BudgetState, CostEstimate
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.store import Store

SOON = 1.0  # seconds for one statement that counts for several questions


@dataclass(frozen=True)
class Question:
    """What somebody asks, and what for."""

    sql: str
    epsilon: Fraction
    delta: Fraction | None = None
    analyst: str = "owner"
    arrival: int | None = None  # of `Departures`; without one it has just come in


@dataclass(frozen=True, eq=False)
class Unfinished:
    """A question that was paid for and is too long to be counted together with others."""

    answer: Callable[[], Answer | Exception]


class Session:
    """A live data set. Threads may share it."""

    def __init__(
        self,
        dataset: Dataset,
        store: Store,
        ledger: Ledger,
        trusted: bool = False,
        departures: Departures | None = None,
    ) -> None:
        """`trusted`: whoever asks has the rows anyway, and is told when a question fails."""
        self.trusted = trusted
        self.dataset = dataset
        self.store = store
        self.ledger = ledger
        self.books = accounting_of(dataset.accounting)
        self._plans = PlanCache()
        self._departures = departures or Departures()
        self._closing = False
        self._words = (dataset.tables, repr(dataset.tables))
        ledger.open(
            dataset.name, self.books.limit(dataset.budget), dataset.policy, dataset.accounting, dataset.renews
        )

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
        arrival: int | None = None,
    ) -> Answer:
        """The answer to a question, its error and what it cost.

        What fails, or takes longer than `within` seconds, is answered as if there were no rows: the same
        noise, columns and charge. `Answer.trouble` says so to the owner; it is in no document that goes out.
        An `unseen` answer is kept when its `leaves` is called, and given again to whoever comes after that,
        by their `arrival`: whether it can be had sooner would tell that the question has ended.
        """
        (answer,) = self.ask_all([Question(sql, epsilon, delta, analyst, arrival)], within, unseen)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask_all(
        self, questions: Sequence[Question], within: float | None = None, unseen: bool = False
    ) -> list[Answer | Exception]:
        """The answers to several questions that wait, or why there is none, each as by `ask`."""
        told = self.begin_all(questions, within, unseen)
        return [one.answer() if isinstance(one, Unfinished) else one for one in told]

    def begin_all(
        self, questions: Sequence[Question], within: float | None = None, unseen: bool = False
    ) -> list[Answer | Exception | Unfinished]:
        """The same; what is not counted at once is left to be done, each by itself, in a time of its own.

        One transaction notes what they cost. Those that are planned already are counted by one statement.
        Nothing that one of them does becomes another's: neither its error nor the time that it takes.
        """
        found: dict[int, Answer | Exception | Unfinished] = {}
        asked: dict[int, PricedQuestion] = {}
        for place, question in enumerate(questions):
            try:
                one = self._priced(question)
                known = self._left_before(one.key, question.arrival)
                if known is None:
                    asked[place] = one
                else:
                    found[place] = self._again(known, question.analyst)
            except Exception as error:
                found[place] = error
        wishes = [(one.analyst, one.price.cost, one.plan.text) for one in asked.values()]
        paid: dict[int, Reservation] = {}
        for place, verdict in zip(asked, self.ledger.reserve_all(self.dataset.name, wishes), strict=True):
            if isinstance(verdict, ShoalError):
                found[place] = verdict
            else:
                paid[place] = verdict
        until = None if within is None else time.monotonic() + within
        many = len(paid) > 1
        for place, told in zip(paid, self._together([asked[place] for place in paid], until), strict=True):
            one, reservation = asked[place], paid[place]
            if told is None:
                alone = partial(self._alone, one, reservation, unseen)
                found[place] = Unfinished(
                    partial(alone, within=within) if many else partial(alone, until=until)
                )
            else:
                found[place] = self._paid(one, reservation, told, None, unseen)
        return [found[place] for place in range(len(questions))]

    def known_shape(self, sql: str, analyst: str) -> bool:
        """Whether a question differs in numbers only from one that this analyst asked before."""
        return self._plans.known_shape(sql, analyst, self.store.version)

    def cancel(self) -> None:
        """End all questions at once, because the service stops. Those who asked get no answer."""
        self._closing = True
        self.store.cancel()

    def estimate(
        self, sql: str, epsilon: Fraction, delta: Fraction | None = None, analyst: str = "owner"
    ) -> CostEstimate:
        """What a question would cost and how far off it would be; nothing is spent, no row is read."""
        plan = self._plan(sql, analyst)
        priced = price(self.dataset, plan, epsilon, delta)
        return CostEstimate(
            columns=plan.columns,
            error=expected_errors(plan, priced.own(plan)),
            cost=self.books.figures(priced.cost),
            remaining=self.books.left(self.ledger.remaining(self.dataset.name, analyst)),
            notes=(*self._notes(plan, overdrawn=False), *expected_for(plan.leaves)),
            interval=expected_widths(plan, priced.own(plan)),
        )

    def budget(self, analyst: str = "owner") -> BudgetState:
        """What an analyst may still ask for."""
        return budget_state(self.ledger, self.dataset.name, analyst)

    def _plan(self, sql: str, analyst: str = "owner") -> Plan:
        make = partial(plan_question, dataset=self.dataset, store=self.store)
        return self._plans.plan(sql, analyst, self.dataset, self.store, make)

    def _priced(self, question: Question) -> PricedQuestion:
        plan = self._plan(question.sql, question.analyst)
        priced = price(self.dataset, plan, question.epsilon, question.delta)
        key = self._key(plan, question.epsilon, priced.delta, question.analyst)
        return PricedQuestion(question.sql, question.epsilon, question.analyst, plan, priced, key)

    def _paid(
        self,
        one: PricedQuestion,
        reservation: Reservation,
        told: AnswerRows,
        trouble: BaseException | None,
        unseen: bool,
    ) -> Answer:
        """An answer that was paid for, kept for the next time."""
        answer = Answer(
            columns=one.plan.columns,
            rows=told.rows,
            error=told.error,
            interval=told.interval,
            spent=self.books.figures(one.price.cost),
            remaining=self.books.left(reservation.remaining),
            notes=(*self._notes(one.plan, reservation.overdrawn), *told.notes),
            archived=False,
            query=one.plan.text,
            id=reservation.id,
            trouble=trouble,
        )
        kept = json.dumps(answer.to_json())
        if not unseen:
            self._keep(reservation, one.key, kept)
            return answer
        return replace(answer, leaves=lambda: self._left(reservation, one.key, kept))

    def _together(self, asked: Sequence[PricedQuestion], until: float | None) -> list[AnswerRows | None]:
        """The answers to those that can be counted together; not to wait for what others ask, it is short."""
        if len(asked) > 1:
            soon = time.monotonic() + SOON
            until = soon if until is None else min(soon, until)
        with suppress(Exception, PanicException):  # then each by itself: no question fails for another
            return answer_together(asked, self.store, until)
        return [None] * len(asked)

    def _alone(
        self,
        one: PricedQuestion,
        reservation: Reservation,
        unseen: bool,
        until: float | None = None,
        within: float | None = None,
    ) -> Answer | Exception:
        """The answer to one that was paid for, whatever happens."""
        until = until if within is None else time.monotonic() + within
        try:
            told = answer_alone(one, self.dataset, self.store, until)
        except (Exception, PanicException) as error:  # Polars' panics are no Exception
            if self.trusted or self._closing:
                return Unanswered(FAILED)
            return self._paid(one, reservation, answer_nothing(one), error, unseen)
        return self._paid(one, reservation, told, None, unseen)

    def _key(self, plan: Plan, epsilon: Fraction, delta: Fraction, analyst: str) -> str:
        """One key for the same question by the same analyst about the same rows at the same price.

        Another analyst's answer is not handed out: it would be knowledge beyond the own budget.
        """
        about = [self.dataset.name, self._declared(), str(self.store.version)]
        parts = [*about, analyst, plan.text, str(epsilon), str(delta)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _declared(self) -> str:
        """The tables in words: keys, groups and bounds may be declared anew for the same rows."""
        tables, words = self._words
        if tables is not self.dataset.tables:
            tables, words = self._words = self.dataset.tables, repr(self.dataset.tables)
        return words

    def _keep(self, reservation: Reservation, key: str, answer: str) -> None:
        with suppress(ShoalError):  # an archive that is full costs money when asked again, not the answer
            self.ledger.remember(reservation, key, answer)

    def _left_before(self, key: str, arrival: int | None) -> str | None:
        late = arrival is not None and self._departures.after(key, arrival)
        return None if late else self.ledger.recall(key)

    def _left(self, reservation: Reservation, key: str, answer: str) -> None:
        """An answer goes out, and may be given again from now on. On disk it would outlive a kill before."""
        self._departures.leaves(key)  # first: whoever came in before must not find it
        self._keep(reservation, key, answer)

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
        if plan.earlier:
            notes.append("rows are compared with a noisy number; error and interval do not count its noise")
        return tuple(notes)
