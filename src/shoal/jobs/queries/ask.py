"""Questions with privacy: at files or frames, at the data of a project file, or at a service."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import Outcome
from shoal.engines.address import address_of
from shoal.engines.atomic_write import check_place
from shoal.jobs.chart_files import check_form, draw
from shoal.jobs.queries.declare import DELTA, Declared, Given, chance, declare, epsilon_from, pairs_of
from shoal.jobs.queries.question_requests import AskQuery
from shoal.jobs.queries.spark_source import SparkRows
from shoal.jobs.request import request_of
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.client import Client, connect
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.results import Answer, BudgetState, CostEstimate
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore

UNKEPT = "no budget is kept from one call to the next"
OWNER: Literal["owner"] = "owner"
__all__ = ["AskQuery", "Client", "Database", "Replied", "ask_query", "connect", "open_database"]


@dataclass(frozen=True)
class Replied:
    """What was said, and remarks about how."""

    outcome: Outcome
    notes: tuple[str, ...] = ()


class Database:
    """Data that answer with privacy. Every answer is paid for from one budget."""

    def __init__(
        self, session: Session, store: DuckStore | SparkRows, notes: tuple[str, ...] = (), whole: bool = False
    ) -> None:
        self._session, self._store = session, store
        self.notes = notes
        self._whole = whole  # the budget is for one question, which may have all of it

    def ask(self, sql: str, epsilon: Any, delta: Any = None) -> Answer:
        """The answer to a question, its error, what it cost and what is left."""
        return self._session.ask(sql, epsilon_from(epsilon), self._delta(delta), OWNER)

    def estimate(self, sql: str, epsilon: Any, delta: Any = None) -> CostEstimate:
        """What a question would cost and how far off its answer would be; nothing is spent."""
        return self._session.estimate(sql, epsilon_from(epsilon), self._delta(delta), OWNER)

    def budget(self) -> BudgetState:
        """What may be spent, what is spent and what is left."""
        return self._session.budget(OWNER)

    def append(self, table: str, rows: Any) -> None:
        """Add rows, from a file or a frame, while questions go on."""
        self._store.append(table, rows)

    def close(self) -> None:
        """Close the files. What was spent is safe already."""
        self._store.close()
        self._session.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _delta(self, given: Any) -> Fraction | None:
        if given is not None:
            return chance(given)
        session = self._session
        return session.books.limit(session.dataset.budget).exact[1] or None if self._whole else None


def ask_query(job: AskQuery) -> Replied:
    """The answer, or what it would cost. What is refused is refused before anything is spent or written."""
    epsilon = epsilon_from(job.epsilon)
    delta = chance(job.delta)
    sql = job.sql or ""
    if not sql.strip():
        raise BadParameter('the question is empty; ask for something, as in "SELECT COUNT(*) FROM visits"')
    _check_chart(job)
    if job.service is not None:
        client = connect(job.service, job.token or "")
        call = client.estimate if job.estimate else client.ask
        return _reply(call(sql, epsilon, delta, job.dataset), job, ())
    if job.config is not None:
        from shoal.jobs.queries.project import open_project

        database: Database = open_project(job.config, job.dataset)
    else:
        database = open_from_flags(job, epsilon, delta)
    with database:
        ask = database.estimate if job.estimate else database.ask
        return _reply(ask(sql, epsilon, delta), job, database.notes)


def open_database(
    data: Any = None,
    *,
    config: str | Path | None = None,
    dataset: str | None = None,
    ledger: str | Path | None = None,
    budget: Any = None,
    delta: Any = None,
    **given: Any,
) -> Database:
    """Data to ask several questions about, within one budget.

    Either the data set of a project file, or `data` with `unit`, `bounds`, `keys`, `kind`, `rows`, `groups`,
    `public` and `accounting`. With a `ledger` the budget is remembered in that file, else in this
    object only.
    """
    if config is not None:
        if data is not None or given or ledger is not None or budget is not None:
            raise BadParameter("a project file says all about the data; leave data, budget and ledger out")
        from shoal.jobs.queries.project import open_project

        return open_project(config, dataset)
    from shoal.jobs.queries.durable_ledger import open_durable_ledger

    described = request_of(Given, data or {}, given, "a database")
    declared = declare(described)
    books = open_durable_ledger(described.accounting, budget, delta, ledger)
    try:
        return _database(declared, books)
    except BaseException:
        books.ledger.close()
        raise


def open_from_flags(job: AskQuery, epsilon: Fraction, delta: Fraction | None) -> Database:
    """A data set of flags: with a lasting ledger where one is there or asked for, else for one question."""
    given = Given(**job.given)
    place = job.ledger if job.ledger is not None else beside(given.data)
    there = place is not None and (remote(place) or Path(place).exists())
    if job.ledger is not None and not there and job.budget is None:
        raise BadParameter(f"there is no ledger '{job.ledger}' yet; begin one with --budget E")
    if place is None and job.budget is not None:
        raise BadParameter("where should the budget be remembered? Name a file with --ledger")
    lasting = there or job.budget is not None
    declared = declare(given)
    if lasting and (there or not job.estimate):
        if not there:
            _trial(declared, given.accounting, job)
        from shoal.jobs.queries.durable_ledger import open_durable_ledger

        books = open_durable_ledger(given.accounting, job.budget, None, place)
        notes: tuple[str, ...] = ()
    else:
        books = BudgetLedger.for_one(given.accounting, epsilon, delta, job.budget)
        where = f"keeps one in {place}" if place is not None else "--ledger FILE keeps one"
        hint = f"--budget E {where}"
        notes = (f"{UNKEPT}; {hint}",) * (not lasting)
    try:
        made = _database(declared, books, whole=not lasting)
    except BaseException:
        books.ledger.close()
        raise
    made.notes = (*notes, *made.notes)
    return made


def _trial(declared: Declared, accounting: str | None, job: AskQuery) -> None:
    """Refuse what cannot be asked before a ledger is made for it."""
    books = BudgetLedger.new(accounting, epsilon_from(job.budget, "--budget"), None, passing_ledger())
    with _database(declared, books) as database:
        database.estimate(job.sql or "", job.epsilon, job.delta)


def _database(declared: Declared, books: BudgetLedger, whole: bool = False) -> Database:
    dataset = declared.dataset(books.budget, books.accounting)
    store = (declared.spark or declared).store(dataset)
    try:
        session = Session(dataset, store, books.ledger, trusted=True)
        session.grant(OWNER)
    except BaseException:
        store.close()
        raise
    return Database(session, store, declared.notes, whole)


def _check_chart(job: AskQuery) -> None:
    if job.chart is None:
        return
    if job.estimate:
        raise BadParameter("--estimate gives nothing to draw; leave --chart out")
    check_form(job.chart)
    sources = [pairs_of(name, job.given.get(name)).values() for name in ("data", "public")]
    check_place(job.chart, [*sources[0], *sources[1], job.ledger, job.config])


def _reply(outcome: Answer | CostEstimate, job: AskQuery, notes: tuple[str, ...]) -> Replied:
    notes = (*notes, *outcome.notes)
    if job.chart is not None and isinstance(outcome, Answer):
        try:
            draw(outcome.to_chart(), job.chart)
        except ShoalError as error:  # it is paid for, so it must be told, drawn or not
            notes = (*notes, f"the answer was not drawn: {error}")
    return Replied(outcome, notes)


FILE = "shoal-ledger.sqlite"
USUAL = "approximate"


@dataclass(frozen=True)
class BudgetLedger:
    """A ledger, how it counts, and the budget of all questions together."""

    ledger: Ledger
    accounting: str
    budget: Budget

    @classmethod
    def new(
        cls, accounting: str | None, epsilon: Fraction, delta: Fraction | None, ledger: Ledger
    ) -> BudgetLedger:
        """A ledger that begins now."""
        kept = accounting or USUAL
        if kept == "pure" and delta:
            raise BadParameter(
                "pure accounting has no δ; leave --delta out, or choose --accounting approximate"
            )
        return cls(
            ledger,
            kept,
            Budget(epsilon, Fraction(0) if kept == "pure" else DELTA if delta is None else delta),
        )

    @classmethod
    def for_one(
        cls, accounting: str | None, epsilon: Fraction, delta: Fraction | None, budget: Any
    ) -> BudgetLedger:
        """A ledger for one question, which may spend all there is; nothing of it is kept."""
        if budget is not None:
            return cls.new(accounting, epsilon_from(budget, "--budget"), None, passing_ledger())
        books = accounting_of(accounting or USUAL)
        if books.squared:
            return cls(passing_ledger(), books.name, books.budget_for_one(epsilon, delta, DELTA))
        return cls.new(accounting, epsilon, delta, passing_ledger())


def remote(place: str | Path) -> bool:
    """Whether a ledger is in a PostgreSQL database, and not a file."""
    return str(place).startswith(("postgresql://", "postgres://"))


def beside(data: Mapping[str, Any]) -> Path | None:
    """Where the ledger of files is: beside any of them, as named or where a link leads; else of the first.

    What is spent counts however files are named and in whatever order.
    """
    files = [f for f in data.values() if isinstance(f, str | Path) and str(f) != "-" and not address_of(f)]
    named = [Path(source).parent / FILE for source in files]
    linked = [Path(os.path.realpath(source)).parent / FILE for source in files]
    there = {os.path.realpath(place): place for place in reversed([*named, *linked]) if place.exists()}
    if len(there) > 1:
        both = "' and '".join(sorted(map(str, there.values())))
        raise BadParameter(
            f"the files have several budgets, in '{both}'; ask about the files of one folder, or choose the "
            "one that pays with --ledger FILE"
        )
    if there:
        return next(iter(there.values()))
    return named[0] if files and files[0] is next(iter(data.values())) else None
