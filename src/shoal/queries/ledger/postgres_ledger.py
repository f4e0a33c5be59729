"""A ledger in a PostgreSQL database, for a team: one row is locked by whoever writes, under read committed.

That a commit which returned survives a power cut is the server's promise; it needs fsync=on, its default.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.queries.ledger.backend import PATIENCE, Unwritten

if TYPE_CHECKING:
    import psycopg

SCHEMA = "shoal_ledger"
_IDLE = 5.0  # seconds after which a connection is tried before it is used
_MAKING = 7_240_519_316  # one number for everybody who makes tables at the same time


class PostgresHand:
    """Statements on one connection."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: str | int | None) -> list[tuple[Any, ...]]:
        """Run one statement and give its rows."""
        # Our own statements have neither a question mark nor a percent sign in a text.
        cursor = self._connection.execute(sql.replace("?", "%s").encode(), values)
        return cursor.fetchall() if cursor.description else []


class PostgresPlace:
    """One schema of a database. One connection writes and one reads; a lost one is made anew."""

    locking = " FOR UPDATE"

    def __init__(self, address: str, schema: Sequence[str], marker: str) -> None:
        """`marker` is the table by which one sees that the others are there."""
        self._driver = _driver()
        self._address = address
        self.where = _without_password(address)
        self._process = os.getpid()
        self._locks = {"write": threading.RLock(), "read": threading.RLock()}
        self._kept: dict[str, psycopg.Connection[Any]] = {}
        self._used: dict[str, float] = {}
        try:
            self._prepare(schema, marker)
        except self._driver.Error as error:
            raise BadParameter(
                f"no ledger opens at {self.where} ({_first(error)}); see that the server runs and lets you in"
            ) from error

    @contextmanager
    def writing(self) -> Iterator[PostgresHand]:
        """One transaction, durable when the block ends."""
        with self._connected("write", "written") as connection, connection.transaction():
            yield PostgresHand(connection)

    @contextmanager
    def reading(self) -> Iterator[PostgresHand]:
        """The present state."""
        with self._connected("read", "read") as connection:
            yield PostgresHand(connection)

    @contextmanager
    def snapshot(self) -> Iterator[PostgresHand]:
        """One moment, on a connection of its own."""
        self._same_process()
        try:
            with self._connect() as connection, connection.transaction():
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield PostgresHand(connection)
        except self._driver.Error as error:
            raise self._failed("read", error) from error

    def close(self) -> None:
        """Let go of the server, unless the connections are the parent's."""
        if os.getpid() == self._process:
            for connection in self._kept.values():
                connection.close()
            self._kept.clear()

    @contextmanager
    def _connected(self, use: str, done: str) -> Iterator[psycopg.Connection[Any]]:
        self._same_process()
        with self._locks[use]:
            try:
                yield self._alive(use)
            except self._driver.Error as error:
                # Whether a commit that was cut off is there, nobody knows here; nothing is answered.
                lost = self._kept.pop(use, None)
                if lost is not None:
                    with suppress(self._driver.Error):
                        lost.close()
                raise self._failed(done, error) from error

    def _alive(self, use: str) -> psycopg.Connection[Any]:
        kept, now = self._kept.get(use), time.monotonic()
        if kept is not None and now - self._used[use] > _IDLE:
            try:
                kept.execute("SELECT 1")
            except self._driver.Error:
                kept.close()
                kept = None
        if kept is None or kept.closed:
            kept = self._kept[use] = self._connect()
        self._used[use] = now
        return kept

    def _connect(self) -> psycopg.Connection[Any]:
        connection: psycopg.Connection[Any] = self._driver.connect(
            self._address, autocommit=True, connect_timeout=10
        )
        try:
            connection.execute(f"SET search_path = {SCHEMA}, pg_temp".encode())
            connection.execute(f"SET lock_timeout = '{PATIENCE}s'".encode())
            # A writer that hangs must not keep everybody else out for ever.
            connection.execute("SET idle_in_transaction_session_timeout = '60s'")
            connection.execute("SET default_transaction_isolation = 'read committed'")
            row = connection.execute("SHOW synchronous_commit").fetchone()
            if row is not None and row[0] == "off":
                connection.execute("SET synchronous_commit = on")
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, schema: Sequence[str], marker: str) -> None:
        with self._connect() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [_MAKING])
            found = connection.execute("SELECT to_regclass(%s)", [f"{SCHEMA}.{marker}"]).fetchone()
            if found is not None and found[0] is None:
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}".encode())
                for statement in schema:
                    connection.execute(statement.encode())

    def _failed(self, done: str, error: Exception) -> Unwritten:
        return Unwritten(
            f"the ledger at {self.where} cannot be {done} ({_first(error)}); nothing is answered until it can"
        )

    def _same_process(self) -> None:
        if os.getpid() != self._process:
            raise Unwritten(
                f"the ledger at {self.where} was opened before this process was forked; open it here again"
            )


def _driver() -> Any:
    require("postgres", "a ledger in PostgreSQL")
    import psycopg

    return psycopg


def _without_password(address: str) -> str:
    """An address without its password."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(address)
    except ProgrammingError:
        raise BadParameter(
            "the address of the ledger cannot be read; write it as postgresql://user@host:5432/database"
        ) from None
    return f"postgresql://{parts.get('host', 'localhost')}/{parts.get('dbname', '')}"


def _first(error: Exception) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__
