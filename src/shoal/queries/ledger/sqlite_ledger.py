"""A ledger in an SQLite file: a write-ahead log that is forced to disk at every commit.

That a commit which returned survives a power cut is SQLite's promise (synchronous=FULL), and the disk's. A
file system over the network does not keep it; use PostgreSQL there.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.queries.ledger.backend import PATIENCE, Unwritten
from shoal.queries.ledger.schema import NUMBERS, OPEN, TEXTS, VERSION

MEMORY = ":memory:"
LOOK = 0.05  # seconds between two looks, when only reading, whether the file is still the same
_INHERITED: list[sqlite3.Connection] = []  # of a parent process: closing them here could end its locks


class SqliteHand:
    """Statements on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: str | int | None) -> list[tuple[Any, ...]]:
        """Run one statement and give its rows; a damaged file may hold anything in any place."""
        cursor = self._connection.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        names = [column[0] for column in cursor.description or ()]
        for row in found:
            for name, value in zip(names, row, strict=True):
                if not _fits(name, value):
                    raise sqlite3.DatabaseError(f"{name} is {str(value)[:20]!r}")
        return found


class SqlitePlace:
    """One file. One connection writes and one reads; threads take turns, processes wait for each other."""

    locking = ""  # BEGIN IMMEDIATE keeps other writers out

    def __init__(self, path: str | Path, schema: Sequence[str], stamp: int, durable: bool = True) -> None:
        """`stamp` tells files of this kind from others; `durable` forces every commit to disk."""
        self.where = str(path)
        self._memory = self.where == MEMORY
        self._path = Path(path)
        self._stamp, self._durable = stamp, durable
        self._process = os.getpid()
        self._writes, self._reads = threading.RLock(), threading.RLock()
        self._files: dict[Path, tuple[int, int]] = {}
        self._looked = 0.0
        if not self._memory:
            _touch(self._path)
        with self._explain_errors("opened"):
            self._writer = self._connect()
            try:
                self._prepare(schema)
                self._reader = self._writer if self._memory else self._connect()
                self._reader.execute("SELECT count(*) FROM sqlite_master").fetchall()
            except BaseException:
                self._writer.close()
                raise
        if self._memory:
            self._reads = self._writes
        else:
            for path_ in (self._path, self._path.with_name(self._path.name + "-wal")):
                self._files[path_] = _identity(path_) or (0, 0)

    @contextmanager
    def writing(self) -> Iterator[SqliteHand]:
        """One transaction, durable when the block ends."""
        self._same_process()
        with self._writes, self._explain_errors("written"):
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield SqliteHand(self._writer)
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    # What cannot be rolled back cannot be committed either: the next BEGIN will fail.
                    with suppress(sqlite3.Error):
                        self._writer.execute("ROLLBACK")
                raise
            # SQLite goes on writing to a file that was deleted. What nobody can read again was not noted.
            if self._durable:
                self._still_there()

    @contextmanager
    def reading(self) -> Iterator[SqliteHand]:
        """The present state."""
        self._same_process()
        with self._reads, self._explain_errors("read"):
            now = time.monotonic()
            if now - self._looked > LOOK:  # what is spent is decided by writing, which looks every time
                self._still_there()
                self._looked = now
            yield SqliteHand(self._reader)

    @contextmanager
    def snapshot(self) -> Iterator[SqliteHand]:
        """One moment, on a connection of its own."""
        self._same_process()
        if self._memory:
            with self.reading() as hand:
                yield hand
            return
        with self._explain_errors("read"):
            self._still_there()
            connection = self._connect()
            try:
                connection.execute("BEGIN")
                yield SqliteHand(connection)
            finally:
                connection.close()

    def close(self) -> None:
        """Close the file, unless it is the parent's."""
        if os.getpid() != self._process:
            _INHERITED.extend((self._writer, self._reader))
            return
        with self._writes, self._reads:
            self._files.clear()  # SQLite may take its log away now
            self._reader.close()
            self._writer.close()

    def _connect(self) -> sqlite3.Connection:
        # Never a new file in the place of one that has vanished: it would be an empty ledger.
        address = MEMORY if self._memory else f"{self._path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(
            address, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            connection.execute("PRAGMA fullfsync = ON")  # of macOS, where a plain one does not reach the disk
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, schema: Sequence[str]) -> None:
        """Make the tables in a new file; refuse a file that is somebody else's."""
        writer = self._writer
        # Asked in this order: who makes the tables puts the stamp on them in the same transaction.
        made = writer.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if made and writer.execute("PRAGMA application_id").fetchone()[0] != self._stamp:
            raise self._foreign()
        if not self._memory:
            _write_ahead(writer)
        writer.execute("BEGIN IMMEDIATE")
        try:
            if writer.execute("PRAGMA application_id").fetchone()[0] != self._stamp:
                for statement in schema:
                    writer.execute(statement)
                writer.execute(f"PRAGMA application_id = {self._stamp}")
                writer.execute(f"PRAGMA user_version = {VERSION}")
            version = writer.execute("PRAGMA user_version").fetchone()[0]
            writer.execute("COMMIT")
        except BaseException:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise
        if version != VERSION:
            raise BadParameter(
                f"the ledger '{self.where}' has version {version}, this Shoal reads {VERSION}; update Shoal"
            )

    def _foreign(self) -> BadParameter:
        return BadParameter(
            f"'{self.where}' is no ledger of Shoal; name the right file, or one that is not there yet"
        )

    @contextmanager
    def _explain_errors(self, done: str) -> Iterator[None]:
        """What SQLite or the disk complains about, in one sentence."""
        try:
            yield
        except (sqlite3.OperationalError, sqlite3.IntegrityError, OSError) as error:
            raise Unwritten(
                f"the ledger '{self.where}' cannot be {done} ({_line(error)}); "
                "nothing is answered until it can"
            ) from error
        except sqlite3.ProgrammingError as error:  # closed
            raise Unwritten(f"the ledger '{self.where}' was closed; open it again") from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # a message may quote what is damaged
            if done == "opened" and "not a database" in str(error):
                raise self._foreign() from error
            raise Unwritten(
                f"the ledger '{self.where}' is damaged ({_line(error)}); "
                "restore a copy that holds everything spent"
            ) from error

    def _still_there(self) -> None:
        for path, known in self._files.items():
            if _identity(path) != known:
                raise Unwritten(
                    f"the ledger's file '{path}' was deleted or replaced while it was in use; "
                    "restart with the file that holds everything spent"
                )

    def _same_process(self) -> None:
        if os.getpid() != self._process:
            _INHERITED.extend((self._writer, self._reader))
            raise Unwritten(
                f"the ledger '{self.where}' was opened before this process was forked; open it here again"
            )


def _touch(path: Path) -> None:
    """Make the file readable for its owner only: it holds questions and hashes of tokens."""
    try:
        if path.is_dir():  # which a folder that may not be entered does not tell
            raise BadParameter(
                f"'{path}' is a folder; the ledger is a file in it, such as '{path}/ledger.sqlite'"
            )
        # An existing file is not opened: closing it again would end the locks that this process has on it.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name of the file survives a power cut, too
        finally:
            os.close(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise BadParameter(
            f"the ledger '{path}' cannot be made ({error.strerror}); name a folder that can be written"
        ) from error


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to its log. Changing that waits for nobody by itself, so we wait here."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal":
                return
            raise sqlite3.OperationalError("no write-ahead log on this file system")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _fits(column: str, value: object) -> bool:
    """Whether a value is of the kind that its column holds; counts and the like have no column."""
    if column in NUMBERS:
        return isinstance(value, int)
    return column not in TEXTS or isinstance(value, str) or (value is None and column in OPEN)


def _line(error: Exception) -> str:
    """What was complained about, on one line: it may quote a damaged file."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in str(error)).split())


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
