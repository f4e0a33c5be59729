"""The door to where a ledger lives: an SQLite file or a PostgreSQL database."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from shoal.core.errors import ShoalError

PATIENCE = 120  # seconds that a writer waits for others


class Unwritten(ShoalError):
    """The ledger could not be read or written, so nothing is answered."""

    exit_code = 1


class Hand(Protocol):
    """What may be done within one transaction. Values stand for the question marks, never in the text."""

    def rows(self, sql: str, *values: str | int | None) -> list[tuple[Any, ...]]:
        """Run one statement and give its rows."""


class Place(Protocol):
    """A database that several threads and processes share."""

    where: str  # for people, without a password
    locking: str  # what a SELECT says at its end to keep other writers out

    def writing(self) -> AbstractContextManager[Hand]:
        """One transaction: durable when the block ends, and not there at all if it raises."""

    def reading(self) -> AbstractContextManager[Hand]:
        """The present state, for single statements."""

    def snapshot(self) -> AbstractContextManager[Hand]:
        """One moment for many statements, while others go on writing."""

    def close(self) -> None:
        """Let go of it."""
