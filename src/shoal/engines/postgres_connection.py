"""The door to PostgreSQL: reading only, one state of the rows per transaction, one text for every failure."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.core.errors import BadParameter, ShoalError, Unanswered
from shoal.core.extras import require
from shoal.engines.timeouts import Call, Watch

if TYPE_CHECKING:
    import psycopg

FAILED = "the rows could not be read"  # the driver's own words quote cells
CANCEL = 5.0  # seconds for a word to the server; it ends the statement by itself, too

# What text a value becomes, and which function a name means, must not hang on settings of a server or role.
_SETTINGS = {
    "search_path": "pg_catalog, pg_temp",
    "standard_conforming_strings": "on",
    "timezone": "UTC",
    "datestyle": "ISO, YMD",
    "extra_float_digits": "1",
    "client_encoding": "UTF8",
    "default_transaction_read_only": "on",
    # One person's part of a join must not be worked out again for every row of the other side, nor must
    # a guess at how many rows there are decide whether a question is compiled first.
    "enable_nestloop": "off",
    "jit": "off",
}
_TYPES: dict[int, Any] = {
    16: pl.Boolean,
    20: pl.Int64,
    21: pl.Int64,
    23: pl.Int64,
    25: pl.String,
    701: pl.Float64,
    1043: pl.String,
    1082: pl.Date,
    1114: pl.Datetime("us"),
}


class Snapshot:
    """One state of the rows, however long one looks at it."""

    def __init__(self, connection: psycopg.Connection[Any], call: Call) -> None:
        self._connection = connection
        self._call = call

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of one SELECT."""
        return self._connection.execute(sql, parameters or None).fetchall()

    def frame(self, sql: str) -> pl.DataFrame:
        """The rows of one SELECT as a frame: whole numbers, doubles, text, truth, days and moments."""
        with self._connection.cursor(binary=True) as cursor:
            cursor.execute(sql)
            assert cursor.description is not None
            # A type that is not known here fails whatever the rows hold.
            schema = {column.name: _TYPES[column.type_code] for column in cursor.description}
            frame = pl.DataFrame(cursor.fetchall(), schema=schema, orient="row")
        self._call.check()
        return frame


class Postgres:
    """A PostgreSQL database. Any number of threads may read; each has a connection of its own meanwhile.

    `timeout` ends a statement after so many seconds.
    """

    def __init__(self, dsn: str, timeout: float | None = None) -> None:
        require("postgres", "PostgreSQL")
        if timeout is not None and not 0.001 <= timeout <= 2_000_000:
            raise BadParameter(f"a timeout of {timeout} makes no sense; give seconds, as in 30")
        self._dsn = dsn
        self._settings = dict(_SETTINGS)
        if timeout is not None:
            self._settings["statement_timeout"] = str(int(timeout * 1000))
        self._lock = threading.Lock()
        self._idle: list[psycopg.Connection[Any]] = []
        self._watch = Watch()

    @contextmanager
    def snapshot(self, within: float | None = None) -> Iterator[Snapshot]:
        """A transaction that reads; a connection that failed is not used again.

        After `within` seconds it is cancelled from here, and by the server itself if this process is gone.
        """
        connection = None
        try:
            connection = self._begun()
            if within is not None:
                limit = str(max(1, int(within * 1000)))
                connection.execute("SELECT pg_catalog.set_config('statement_timeout', %s, true)", (limit,))
            with self._watch.over(within, lambda: connection.cancel_safe(timeout=CANCEL)) as call:
                yield Snapshot(connection, call)
            connection.execute("COMMIT")
        except ShoalError:
            _close(connection)
            raise
        except Exception as error:
            _close(connection)
            raise Unanswered(FAILED) from error
        except BaseException:
            _close(connection)
            raise
        with self._lock:
            self._idle.append(connection)

    def cancel(self) -> None:
        """End all that is being read, and read nothing from now on."""
        self._watch.end()

    def close(self) -> None:
        """Close all connections that are not in use."""
        with self._lock:
            for connection in self._idle:
                _close(connection)
            self._idle.clear()

    def _begun(self) -> psycopg.Connection[Any]:
        import psycopg

        while True:
            with self._lock:
                used = self._idle.pop() if self._idle else None
            connection = used or self._connected()
            try:
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                return connection
            except psycopg.Error:
                _close(connection)
                if used is None:
                    raise
                # The server was restarted since; nothing was asked yet, so a fresh connection may ask.

    def _connected(self) -> psycopg.Connection[Any]:
        import psycopg

        # Not prepared: poolers in between hand the same connection to others.
        connection = psycopg.connect(self._dsn, autocommit=True, prepare_threshold=None)
        try:
            for name, setting in self._settings.items():
                connection.execute("SELECT pg_catalog.set_config(%s, %s, false)", (name, setting))
            found = connection.execute("SHOW server_encoding").fetchone()
            if found is None or found[0] != "UTF8":
                # There a cell may hold bytes that are no text, and it would fail because of that cell.
                raise BadParameter(f"the database is encoded in {found and found[0]}; only UTF8 can be asked")
        except BaseException:
            _close(connection)
            raise
        return connection


def _close(connection: psycopg.Connection[Any] | None) -> None:
    if connection is not None:
        with suppress(Exception):
            connection.close()
