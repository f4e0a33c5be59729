"""Everything that a service has, in one folder: data sets, rows, people, budgets and the audit log.

    ledger.sqlite      who asked what at what cost, budgets, people with the hashes of their tokens
    audit.jsonl        one line per request
    datasets/          per data set its declaration, and a DuckDB file with its rows
    lock               held while a service is open: one at a time

Opened again, it goes on where it was.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import Json
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.departures import Departures
from shoal.queries.ledger.ledger import deleted
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.token_holders import People, Person
from shoal.queries.results import Answer, BudgetState, CostEstimate
from shoal.queries.service.admission import Admission, Exists, NoDataset
from shoal.queries.service.audit_log import AuditLog
from shoal.queries.service.dataset_registry import Registry, describe, difference, files_of, keeps_promise
from shoal.queries.service.folder_lock import FolderLock
from shoal.queries.service.settings import Settings
from shoal.queries.session import Question, Session, Unfinished
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.store import Store


class OwnStore(Store, Protocol):
    """A store that somebody hands in, because its rows are not in the folder."""

    def close(self) -> None:
        """Let go of it."""


class Service(Admission):
    """A folder that answers. Threads may share it; a second process is refused."""

    def __init__(
        self, folder: str | Path, ledger: str | Path | None = None, settings: Settings | None = None
    ) -> None:
        """`ledger` is a file or the address of a PostgreSQL database; without one, a file in the folder."""
        self.folder = Path(folder)
        self.settings = settings or Settings()
        self._lock = FolderLock(self.folder / "lock")
        self._changing, self.stopping = threading.RLock(), False
        self._sessions: dict[str, Session] = {}
        self._stores: dict[str, OwnStore] = {}
        self.departures = Departures()
        try:
            self.audit = AuditLog(self.folder / "audit.jsonl")
            self.ledger = open_ledger(ledger or self.folder / "ledger.sqlite")
            self.people = People(self.ledger)
            self._registry = Registry(self.folder / "datasets")
            for dataset in self._registry.all():
                if self.ledger.closed(dataset.name):  # deleting was cut off
                    self._registry.delete(dataset.name)
                elif self._registry.local(dataset.name):
                    self._start(dataset, DuckStore(dataset, self._registry.rows(dataset.name)))
        except BaseException:
            self.close()
            raise

    def cancel(self) -> None:
        """End every question that runs, because the service stops; what was reserved stays spent."""
        self.stopping = True
        for session in list(self._sessions.values()):
            session.cancel()

    def close(self) -> None:
        """Close every file. What was answered is safe already."""
        for store in self._stores.values():
            with suppress(Exception):  # a question that still runs keeps its connection until it ends
                store.close()
        self._stores.clear()
        self._sessions.clear()
        for part in ("ledger", "audit"):
            if hasattr(self, part):
                getattr(self, part).close()
        self._lock.release()

    # Data sets

    def declare(
        self, dataset: Dataset, rows: Mapping[str, Any] | None = None, store: OwnStore | None = None
    ) -> None:
        """Register a data set at the first start; at a later one check that it is still declared the same.

        Words about it, and what newcomers get, may be others. `rows` are frames or files by table, for the
        first time only. A `store` of one's own (PostgreSQL) is handed in at every start; its address is not
        kept in the folder.
        """
        with self._changing:
            if self._registry.deleted(dataset.name):
                raise Exists(f"{deleted(dataset.name)}, and take it out of the project file")
            known = self._registry.find(dataset.name)
            if known is None:
                self.register(dataset, rows or files_of(dataset, store is not None), store)
                return
            keeps_promise(known, dataset)
            if difference(known, dataset) is not None:
                self._registry.add(dataset, self._registry.local(dataset.name))
                known = replace(dataset, sources=())
            if dataset.name in self._sessions:
                self._sessions[dataset.name].dataset = known
            elif store is not None:
                self._start(known, store)

    def register(
        self, dataset: Dataset, rows: Mapping[str, Any] | None = None, store: OwnStore | None = None
    ) -> None:
        """Take a new data set in: rows first, then the budget, then the declaration, which makes it real."""
        with self._changing:
            if self._registry.deleted(dataset.name) or self.ledger.closed(dataset.name):
                raise Exists(deleted(dataset.name))
            if self._registry.taken(dataset.name):
                raise Exists(f"there is a data set '{dataset.name}' already; choose another name")
            for name in rows or ():
                dataset.table(name)
            if store is not None:
                if rows:
                    raise BadParameter(f"the rows of '{dataset.name}' are in its database; give none here")
                session = self._opened(dataset, store)
                self._registry.add(dataset, local=False)
                self._sessions[dataset.name], self._stores[dataset.name] = session, store
            else:
                self._fill(dataset, rows or {})

    def delete(self, person: Person, dataset: str) -> None:
        """Take a data set away with its rows, for good: what was learned from it stays in the ledger.

        The ledger first: cut off after it, the rest is done at the next start. A question that runs is ended
        without an answer; what it cost stays spent.
        """
        with self._changing:
            if person.role != "owner" or dataset not in self._sessions:
                raise NoDataset(dataset)
            self.ledger.close_dataset(dataset)
            session, store = self._sessions.pop(dataset), self._stores.pop(dataset)
            session.cancel()
            with suppress(Exception):  # a question that still runs keeps its connection until it ends
                store.close()
            self._registry.delete(dataset)

    def _fill(self, dataset: Dataset, rows: Mapping[str, Any]) -> None:
        path = self._registry.rows(dataset.name)
        self._registry.clear(dataset.name)  # left over from a start that was cut off
        store = DuckStore(dataset, path)
        try:
            for name, given in rows.items():
                store.load(name, given)
            session = self._opened(dataset, store)
            self._registry.add(dataset, local=True)
        except BaseException:
            store.close()
            self._registry.clear(dataset.name)
            raise
        self._sessions[dataset.name], self._stores[dataset.name] = session, store

    def table(self, person: Person, dataset: str, table: str) -> Table:
        """One table of a data set that a person may know of."""
        return self._session(person, dataset).dataset.table(table)

    def change(self, dataset: str, table: str, rows: pl.DataFrame, replace: bool) -> None:
        """Add rows, or put them in the place of all rows of the people named in them."""
        store = self._local(dataset)
        (store.replace if replace else store.append)(table, rows)

    def forget(self, person: Person, dataset: str, unit: str) -> None:
        """Take away all rows of one person, from every table."""
        self._session(person, dataset)
        self._local(dataset).forget(None, [unit])

    def names(self) -> list[str]:
        """All data sets that can be asked about."""
        return sorted(self._sessions)

    def shown(self, person: Person) -> list[Json]:
        """The declarations that a person may see, each with their budget."""
        shown: list[Json] = []
        for name, session in sorted(self._sessions.items()):
            granted = self.ledger.granted(name, person.name)
            if granted or person.role == "owner":
                budget = session.budget(person.name).to_json() if granted else None
                shown.append({**describe(session.dataset), "budget": budget})
        return shown

    # Questions
    def ask(
        self,
        person: Person,
        dataset: str,
        sql: str,
        epsilon: Fraction,
        delta: Fraction | None = None,
        arrival: int | None = None,
    ) -> Answer:
        """The answer to a question; its cost is reserved before it runs. It is unseen until it `leaves`."""
        self.settings.check_worth(epsilon)
        ask = self._session(person, dataset).ask
        return ask(sql, epsilon, delta, person.name, self.settings.within(), True, arrival)

    def together(self, dataset: str, sql: str, person: Person) -> bool:
        """Whether a question is best answered together with others: this person has asked such a one before,
        so that it takes no planning, and is one of plain numbers.
        """
        session = self._sessions.get(dataset)
        return session is not None and session.known_shape(sql, person.name)

    def ask_all(
        self, questions: Sequence[tuple[Person, str, Question]]
    ) -> list[Answer | Exception | Unfinished]:
        """The answers to several people's questions about data sets, each as by `ask`; or what is left of
        those that take long.
        """
        found: dict[int, Answer | Exception | Unfinished] = {}
        asked: dict[Session, list[int]] = {}
        for place, (person, dataset, question) in enumerate(questions):
            try:
                self.settings.check_worth(question.epsilon)
                asked.setdefault(self._session(person, dataset), []).append(place)
            except ShoalError as error:
                found[place] = error
        for session, places in asked.items():
            some = [questions[place][2] for place in places]
            found |= zip(places, session.begin_all(some, self.settings.within(), unseen=True), strict=True)
        return [found[place] for place in range(len(questions))]

    def estimate(
        self, person: Person, dataset: str, sql: str, epsilon: Fraction, delta: Fraction | None = None
    ) -> CostEstimate:
        """What a question would cost and how far off it would be."""
        self.settings.check_worth(epsilon)
        return self._session(person, dataset).estimate(sql, epsilon, delta, person.name)

    def budget(self, person: Person, dataset: str) -> BudgetState:
        """What a person may still spend."""
        return self._session(person, dataset).budget(person.name)

    def log(self, person: Person, dataset: str, limit: int) -> list[Json]:
        """The latest entries of the ledger: one's own, or everybody's for an owner."""
        self._session(person, dataset)
        if person.role == "owner":
            return [entry.to_json() for entry in self.ledger.entries(dataset, None, limit)]
        entries = self.ledger.entries(dataset, person.name, limit)
        # To the second: when a question began tells how long the one before it took.
        return [{**entry.to_json(), "time": entry.time[:19] + entry.time[26:]} for entry in entries]

    def _local(self, dataset: str) -> DuckStore:
        store = self._stores[dataset]
        if not isinstance(store, DuckStore):
            raise BadParameter(f"the rows of '{dataset}' are in a database of their own; change them there")
        return store

    def _start(self, dataset: Dataset, store: OwnStore) -> None:
        self._stores[dataset.name] = store
        self.ledger.expect(dataset.name)  # its account was there before its declaration
        self._sessions[dataset.name] = self._opened(dataset, store)

    def _opened(self, dataset: Dataset, store: Store) -> Session:
        return Session(dataset, store, self.ledger, departures=self.departures)

    def _session(self, person: Person, dataset: str) -> Session:
        # The same look into the ledger for a data set that is not there: neither text nor work tells.
        granted = self.ledger.granted(dataset, person.name)
        session = self._sessions.get(dataset)
        if session is None or not (granted or person.role == "owner"):
            raise NoDataset(dataset)
        if not granted:  # an owner may ask without being let in, and is counted like everybody
            session.grant(person.name)
        return session
