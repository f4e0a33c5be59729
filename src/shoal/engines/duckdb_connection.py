"""The door to DuckDB, locked: it reads and writes its own database and nothing else on this machine.

No file, no network, no extension, no Python variable and no setting can be reached by any statement, and what
comes through `read` must be a single SELECT on top. Functions that tell about the engine itself are still
there: a stranger's text never comes here, only what was built anew (see `shoal.queries.sql`).
"""

from __future__ import annotations

import itertools
import operator
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.frames import quote_value, reason
from shoal.engines.timeouts import Watch

if TYPE_CHECKING:
    import duckdb

_READ = "BEGIN TRANSACTION READ ONLY"
_PARAMETER = re.compile(r"\$([0-9]+)")
BATCH = 1_000  # rows that are fetched at once
_LOCKED: Mapping[str, str] = {
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
    "python_scan_all_frames": "false",
    # It reads less of one side of a join when there are few rows on the other, so that one person's row
    # decided between 8 milliseconds and a second. And it plans by the smallest and the largest value that a
    # column has, so that one person's value decided how groups are counted, and whether rows are read at all.
    "disabled_optimizers": "join_filter_pushdown,statistics_propagation",
    "lock_configuration": "true",
}


@dataclass(frozen=True, eq=False)
class Statement:
    """A SELECT that was read, with the transaction around it that cannot write."""

    text: str
    asked: duckdb.Statement
    begin: duckdb.Statement
    commit: duckdb.Statement
    together: dict[int, duckdb.Statement] = field(default_factory=dict)  # the same so many times, read once


class Writer:
    """One transaction that may change the rows. Every statement is read to its end."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor
        self._lent: list[str] = []

    def run(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Execute one statement and fetch what it gives."""
        return self._cursor.execute(sql, list(parameters)).fetchall()

    def lend(self, name: str, frame: pl.DataFrame) -> None:
        """Let statements of this transaction select from a frame."""
        self._cursor.register(name, frame)
        self._lent.append(name)

    def take_back(self) -> None:
        """Forget the frames."""
        for name in self._lent:
            self._cursor.unregister(name)
        self._lent.clear()


class Duck:
    """A DuckDB database in memory or in a file. Any number of threads may read and write at the same time."""

    def __init__(
        self, path: str | Path | None = None, memory: str | None = None, threads: int | None = None
    ) -> None:
        import duckdb

        config: dict[str, str | bool | int | float | list[str]] = dict(_LOCKED)
        # What does not fit into memory goes beside the file; without a file nothing is written anywhere.
        config["temp_directory"] = "" if path is None else f"{Path(path)}.tmp"
        if memory is not None:
            config["memory_limit"] = memory
        if threads is not None:
            config["threads"] = str(threads)
        try:
            self._root = duckdb.connect(":memory:" if path is None else str(path), config=config)
        except duckdb.IOException as error:
            raise BadTable(
                f"cannot open {quote_value(path)} as a database: {reason(error)}; close other programs "
                "that use it"
            ) from error
        except duckdb.Error as error:
            raise BadParameter(
                f"cannot open a database with memory={memory}, threads={threads}: {reason(error)};"
                " give them as in memory='4GB', threads=2"
            ) from error
        self._lock = threading.Lock()
        self._idle: list[duckdb.DuckDBPyConnection] = []
        self._watch = Watch()

    def read(self, selects: Sequence[str], within: float | None = None) -> list[pl.DataFrame]:
        """The answers to several SELECTs about one and the same state; anything else is refused.

        What takes longer than `within` seconds is interrupted.
        """
        with self._cursor() as cursor, self._watch.over(within, cursor.interrupt) as call:
            statements = [_select(cursor, text) for text in selects]
            cursor.execute(_READ).fetchall()
            frames = []
            for statement in statements:
                frames.append(cursor.sql(statement).pl())
                call.check()
            cursor.execute("COMMIT").fetchall()
            return frames

    def prepare(self, select: str) -> Statement:
        """A single SELECT, perhaps with parameters, for `row`; anything else is refused."""
        with self._cursor() as cursor:
            begin, commit = _statement(cursor, _READ), _statement(cursor, "COMMIT")
            return Statement(select, _select(cursor, select), begin, commit)

    def rows(
        self,
        select: Statement,
        within: float | None = None,
        given: Sequence[Sequence[int | float]] = ((),),
    ) -> list[tuple[int | None, ...]]:
        """The answers to a SELECT of whole numbers that gives one row, one for each set of parameters.

        Half the work of the way through Arrow, and several together take little longer than one. They are one
        state by themselves; the transaction is there because it cannot write.
        """
        with self._cursor() as cursor, self._watch.over(within, cursor.interrupt) as call:
            cursor.execute(select.begin)
            if len(given) == 1:
                found = cursor.execute(select.asked, list(given[0])).fetchall()
            else:
                asked = _together(cursor, select, len(given), len(given[0]))
                numbered = cursor.execute(asked, list(itertools.chain(*given))).fetchall()
                found = [row[1:] for row in sorted(numbered, key=operator.itemgetter(0))]
            call.check()
            cursor.execute(select.commit)
        if len(found) != len(given):
            raise BadParameter("only a SELECT of one row can be read this way")
        return found

    def fetch(
        self, select: str, within: float | None, cells: int
    ) -> tuple[list[str], list[str], list[tuple[object, ...]]]:
        """The names and kinds of the columns of a SELECT, and its rows; more than so many cells are refused.

        50 characters of text count as a cell.
        """
        with self._cursor() as cursor, self._watch.over(within, cursor.interrupt) as call:
            result = cursor.execute(_select(cursor, select))
            names = [str(column[0]) for column in result.description]
            kinds = [str(column[1]) for column in result.description]
            rows: list[tuple[object, ...]] = []
            while part := result.fetchmany(BATCH):
                call.check()
                rows += part
                cells -= sum(
                    1 + len(cell) // 50 if isinstance(cell, str) else 1 for row in part for cell in row
                )
                if cells < 0:
                    raise BadParameter("the answer is too large; ask for fewer rows and shorter texts")
            call.check()
            return names, kinds, rows

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """A transaction: all of it happens, or nothing."""
        with self._cursor() as cursor:
            writer = Writer(cursor)
            cursor.execute("BEGIN TRANSACTION").fetchall()
            yield writer
            cursor.execute("COMMIT").fetchall()
            writer.take_back()

    def cancel(self) -> None:
        """Interrupt all that is being read, and read nothing from now on."""
        self._watch.end()

    def close(self) -> None:
        """Close the database and everything that reads it."""
        with self._lock:
            for cursor in self._idle:
                cursor.close()
            self._idle.clear()
            self._root.close()

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor for one thread; one that failed is thrown away, and its transaction with it."""
        with self._lock:
            cursor = self._idle.pop() if self._idle else self._root.cursor()
        try:
            yield cursor
        except BaseException:
            # Closing alone would leave the transaction to the garbage collector.
            with suppress(Exception):
                cursor.rollback()
            cursor.close()
            raise
        with self._lock:
            self._idle.append(cursor)


def _select(cursor: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    import duckdb

    found = cursor.extract_statements(text)
    if len(found) != 1 or found[0].type != duckdb.StatementType.SELECT:
        raise BadParameter("only a single SELECT can be read")
    return found[0]


def _together(
    cursor: duckdb.DuckDBPyConnection, select: Statement, times: int, parameters: int
) -> duckdb.Statement:
    """A SELECT with parameters $1, $2 … so many times over, each time with the next ones."""
    found = select.together.get(times)
    if found is None:
        if sorted(_PARAMETER.findall(select.text)) != [str(number + 1) for number in range(parameters)]:
            raise BadParameter("only a SELECT with each parameter once can be read several times")
        parts = []
        for place in range(times):
            first = place * parameters

            def moved(match: re.Match[str], first: int = first) -> str:
                return f"${first + int(match[1])}"

            parts.append(f"SELECT {place}, * FROM ({_PARAMETER.sub(moved, select.text)})")
        found = select.together[times] = _select(cursor, " UNION ALL ".join(parts))
    return found


def _statement(cursor: duckdb.DuckDBPyConnection, text: str) -> duckdb.Statement:
    (found,) = cursor.extract_statements(text)
    return found
