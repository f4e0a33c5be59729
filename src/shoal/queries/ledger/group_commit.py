"""One transaction for everybody who waits.

Whoever gets the pen writes for all who have queued up meanwhile; each gets a verdict of their own, and only
after the commit. So a disk that takes ten milliseconds does not limit answers to a hundred a second.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from shoal.core.errors import ShoalError
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.backend import Hand, Place, Unwritten
from shoal.queries.ledger.entry import COLUMNS, Entry, Kind, clean, now

Result = TypeVar("Result")


class Pen:
    """What may be written within one transaction: entries at the end of the chain, and tables beside it."""

    def __init__(self, hand: Hand, locking: str) -> None:
        self.rows = hand.rows
        heads = hand.rows(f"SELECT id, chain FROM head{locking}")
        if len(heads) != 1:
            raise Unwritten(
                "the ledger is damaged (it has no end); restore a copy that holds everything spent"
            )
        ((self.id, self.chain),) = heads
        self._first = self.id

    def note(
        self, kind: Kind, dataset: str = "", analyst: str = "", cost: Cost | None = None, question: str = ""
    ) -> int:
        """Append an entry and give its number."""
        spent = cost or Cost()
        entry = Entry(self.id + 1, now(), clean(dataset), clean(analyst), kind, spent, clean(question), "")
        self.id, self.chain = entry.id, entry.tied(self.chain)
        self.rows(
            f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            entry.id,
            entry.time,
            entry.dataset,
            entry.analyst,
            entry.kind,
            spent.loss,
            spent.delta,
            entry.question,
            self.chain,
        )
        return entry.id

    def lift(self) -> None:
        """Write down where the chain ends."""
        if self.id != self._first:
            self.rows("UPDATE head SET id = ?, chain = ?", self.id, self.chain)


Work = Callable[[Pen], Result | ShoalError]


@dataclass
class _Ticket:
    work: Callable[[Pen], Any]
    done: bool = False
    result: Any = None


class Writer:
    """Takes turns at the pen. A verdict that was returned (not raised) is told after its entry is safe."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._turn = threading.Lock()
        self._queue = threading.Lock()
        self._waiting: list[_Ticket] = []
        self._seen = 0  # the last entry that this process knows of

    def do(self, work: Work[Result]) -> Result:
        """Do a piece of work in a transaction, with others or alone; raise what it returned as an error."""
        (result,) = self.do_all([work])
        if isinstance(result, ShoalError):
            raise result
        return result

    def do_all(self, works: Sequence[Work[Result]]) -> list[Result | ShoalError]:
        """Do several pieces of work in one transaction, each with a verdict of its own."""
        tickets = [_Ticket(work) for work in works]
        with self._queue:
            self._waiting += tickets
        with self._turn:
            if not all(ticket.done for ticket in tickets):
                with self._queue:
                    batch, self._waiting = self._waiting, []
                self._write(batch)
        return [ticket.result for ticket in tickets]

    def _write(self, batch: list[_Ticket]) -> None:
        failure = "the ledger was interrupted; nothing is answered"
        try:
            with self._place.writing() as hand:
                pen = Pen(hand, self._place.locking)
                if pen.id < self._seen:
                    raise Unwritten(
                        f"the ledger '{self._place.where}' was set back from entry {self._seen} to {pen.id}; "
                        "restore the copy that holds everything spent"
                    )
                verdicts = [_verdict(ticket, pen) for ticket in batch]
                pen.lift()
        except ShoalError as error:
            failure = str(error)
        else:
            self._seen = pen.id
            for ticket, verdict in zip(batch, verdicts, strict=True):
                ticket.result, ticket.done = verdict, True
        finally:
            for ticket in batch:
                if not ticket.done:
                    # An error of its own for everybody: threads must not share one.
                    ticket.result, ticket.done = Unwritten(failure), True


def _verdict(ticket: _Ticket, pen: Pen) -> object:
    before = pen.id
    try:
        return ticket.work(pen)
    except Unwritten:
        raise
    except ShoalError as error:
        if pen.id != before:  # half a piece of work must not be committed
            raise
        return error
