"""A service as a database of Python: DB-API 2.0 (PEP 249), which pandas, Polars and notebooks speak.

    connection = connect("shoal://127.0.0.1:8765/clinic?epsilon=0.1")     # the token from SHOAL_TOKEN
    cursor = connection.cursor()
    cursor.execute("SELECT ward, COUNT(*) FROM visits WHERE age > ? GROUP BY ward", [40])
    cursor.fetchall(), cursor.answer.error

Every `execute` costs ε: that of the connection, or its own. There is nothing to commit, and a rollback gives
nothing back: what is spent is spent.
"""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Self

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent
from shoal.queries.answer import Answer
from shoal.queries.client import Client, Figure, local_host
from shoal.queries.client import connect as connect_client
from shoal.queries.dbapi_parameters import put_in
from shoal.queries.declaration.declaration import Value

apilevel = "2.0"
threadsafety = 2  # threads may share the module and connections
paramstyle = "qmark"
TOKEN = "SHOAL_TOKEN"  # the variable that may hold the token
PORT = 8765  # of a service on this machine; elsewhere it is that of https
_OPTIONS = ("epsilon", "delta", "tls", "insecure", "timeout")
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Warning(Exception):
    """Never raised; it belongs to the standard."""


class Error(Exception):
    """Whatever goes wrong here."""


class InterfaceError(Error):
    """A connection or cursor that is closed, or asked for what it does not have."""


class DatabaseError(Error):
    """What the service refuses, or does not do."""


class DataError(DatabaseError):
    """A parameter that cannot be written as SQL."""


class OperationalError(DatabaseError):
    """The service cannot be reached, is busy, or knows no such token."""


class BudgetSpent(OperationalError):
    """The budget does not cover the question; nothing was spent."""


class IntegrityError(DatabaseError):
    """Never raised; it belongs to the standard."""


class InternalError(DatabaseError):
    """Never raised; it belongs to the standard."""


class ProgrammingError(DatabaseError):
    """A question without an ε, or one that is not understood."""


class NotSupportedError(DatabaseError):
    """A question that cannot be answered with privacy."""


class TypeObject:
    """A kind of column, equal to the names of all its types."""

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def __eq__(self, other: object) -> bool:
        return other in self._names if isinstance(other, str) else self is other

    def __hash__(self) -> int:
        return hash(self._names)


STRING = TypeObject("VARCHAR")
NUMBER = TypeObject("BIGINT", "DOUBLE", "BOOLEAN")
DATETIME = TypeObject("DATE", "TIMESTAMP")
BINARY, ROWID = TypeObject(), TypeObject("ROWID")
Date, Timestamp = date, datetime


@dataclass(frozen=True)
class Address:
    """Where to ask what at which price, as a URL tells it. The token is not in its repr."""

    url: str
    dataset: str | None
    token: str | None
    epsilon: str | None = None
    delta: str | None = None
    insecure: bool = False
    timeout: float = 600.0

    def __repr__(self) -> str:
        return f"Address({self.url!r}, {self.dataset!r})"


def address_of(url: str) -> Address:
    """`shoal://[TOKEN@]HOST[:PORT][/DATASET][?epsilon=…&delta=…&tls=…&insecure=…&timeout=…]`, taken apart.

    TLS unless the host is this machine; `tls=` says otherwise. No error repeats the URL: it may hold a token.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname, parts.port
        told = urllib.parse.parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    except ValueError:
        raise ProgrammingError("the address cannot be read; write shoal://HOST:PORT/DATASET") from None
    if parts.scheme != "shoal" or not host:
        raise ProgrammingError("that is no address of ours; write shoal://HOST:PORT/DATASET?epsilon=0.1")
    options = dict(told)
    for name in options:
        if name not in _OPTIONS:
            raise ProgrammingError(f"the address has no setting '{name[:40]}'; it has {', '.join(_OPTIONS)}")
    here = local_host(host)
    tls = _truth(options, "tls", not here)
    name = f"[{host}]" if ":" in host else host
    whose = urllib.parse.unquote(parts.username or "") or None
    if parts.password:  # user:token@, as some programs insist on a user
        whose = urllib.parse.unquote(parts.password)
    shown = "" if port is None and tls else f":{port or PORT}"
    return Address(
        f"{'https' if tls else 'http'}://{name}{shown}",
        urllib.parse.unquote(parts.path.strip("/")) or None,
        whose,
        options.get("epsilon"),
        options.get("delta"),
        _truth(options, "insecure", False),
        _seconds(options.get("timeout", "600")),
    )


def connect(
    url: str,
    token: str | None = None,
    *,
    dataset: str | None = None,
    epsilon: Figure | None = None,
    delta: Figure | None = None,
    timeout: float | None = None,
    insecure: bool = False,
) -> Connection:
    """A connection to the data set of a service, `shoal://HOST:PORT/DATASET?epsilon=0.1`.

    The token is given, or in the URL (`shoal://TOKEN@HOST…`), or in the variable SHOAL_TOKEN.
    """
    found = address_of(url)
    whose = token or found.token or os.environ.get(TOKEN)
    if not whose:
        raise ProgrammingError(f"no token; give token=…, or put it into the variable {TOKEN}")
    try:
        client = connect_client(found.url, whose, timeout or found.timeout, insecure or found.insecure)
    except ShoalError as error:
        raise _told(error) from None
    chosen = epsilon if epsilon is not None else found.epsilon
    return Connection(client, dataset or found.dataset, chosen, delta if delta is not None else found.delta)


class Connection:
    """An analyst at a data set of a service. `epsilon` is what a question costs that says nothing else."""

    Warning, Error, InterfaceError, DatabaseError = Warning, Error, InterfaceError, DatabaseError
    DataError, OperationalError, IntegrityError = DataError, OperationalError, IntegrityError
    InternalError, ProgrammingError, NotSupportedError = InternalError, ProgrammingError, NotSupportedError

    def __init__(
        self, client: Client, dataset: str | None, epsilon: Figure | None, delta: Figure | None
    ) -> None:
        self._client: Client | None = client
        self.dataset, self.epsilon, self.delta = dataset, epsilon, delta

    def __repr__(self) -> str:
        return f"Connection({self._client.url if self._client else 'closed'!r}, {self.dataset!r})"

    @property
    def client(self) -> Client:
        """The client behind it, which also estimates, and tells budgets and logs."""
        if self._client is None:
            raise InterfaceError("the connection is closed; connect again")
        return self._client

    def cursor(self) -> Cursor:
        """Something that asks."""
        _ = self.client
        return Cursor(self)

    def execute(self, sql: str, parameters: Sequence[object] = (), **price: Any) -> Cursor:
        """Ask by a cursor of its own."""
        return self.cursor().execute(sql, parameters, **price)

    def declaration(self) -> Mapping[str, Any]:
        """The tables and columns of the data set, as its owner declared them."""
        try:
            known = {str(told["name"]): told for told in self.client.datasets()}
        except ShoalError as error:
            raise _told(error) from None
        name = self.dataset or (next(iter(known)) if len(known) == 1 else None)
        if name not in known:
            raise OperationalError(f"which data set? You may ask about: {', '.join(known) or 'none'}")
        return known[name]

    def commit(self) -> None:
        """Nothing to do: an answer that came is paid for."""
        _ = self.client

    def rollback(self) -> None:
        """Nothing to do: what was spent stays spent."""
        _ = self.client

    def close(self) -> None:
        """Ask nothing more; the token is forgotten."""
        self._client = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Cursor:
    """Asks, and holds one answer. `answer` tells its error, intervals, cost and what is left."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.arraysize = 1
        self.answer: Answer | None = None
        self._next = 0
        self._closed = False

    @property
    def description(self) -> list[tuple[str, str, None, None, None, None, bool]] | None:
        """Per column its name and type, and whether a null is in it."""
        if self.answer is None:
            return None
        columns = list(zip(*self.answer.rows, strict=True)) or [()] * len(self.answer.columns)
        return [
            (name, _type_of(values), None, None, None, None, None in values)
            for name, values in zip(self.answer.columns, columns, strict=True)
        ]

    @property
    def rowcount(self) -> int:
        """How many rows the answer has; -1 before there is one."""
        return -1 if self.answer is None else len(self.answer.rows)

    def execute(
        self,
        sql: str,
        parameters: Sequence[object] = (),
        *,
        epsilon: Figure | None = None,
        delta: Figure | None = None,
    ) -> Self:
        """Ask. `parameters` stand for the question marks; ε is that of the connection unless one is given."""
        client = self._open().connection.client
        price = epsilon if epsilon is not None else self.connection.epsilon
        if price is None:
            raise ProgrammingError(
                "what may the question cost? Add ?epsilon=0.1 to the address, or give epsilon=… to execute"
            )
        self.answer, self._next = None, 0
        try:
            text = put_in(sql, parameters)
        except ValueError as error:
            raise DataError(str(error)) from None
        chosen = delta if delta is not None else self.connection.delta
        try:
            self.answer = client.ask(text, price, chosen, self.connection.dataset)
        except ShoalError as error:
            raise _told(error) from None
        return self

    def executemany(self, sql: str, several: Sequence[Sequence[object]]) -> None:
        """Refused: each of them would cost ε, and only the last answer would be seen."""
        raise NotSupportedError("every question costs ε; ask them one by one with execute")

    def fetchone(self) -> tuple[Value, ...] | None:
        """The next row."""
        found = self.fetchmany(1)
        return found[0] if found else None

    def fetchmany(self, size: int | None = None) -> list[tuple[Value, ...]]:
        """So many rows more."""
        answer = self._open().answer
        if answer is None:
            raise InterfaceError("there is no answer yet; execute a question first")
        rows = answer.rows[self._next : self._next + (self.arraysize if size is None else max(size, 0))]
        self._next += len(rows)
        return list(rows)

    def fetchall(self) -> list[tuple[Value, ...]]:
        """All rows that are left."""
        return self.fetchmany(max(self.rowcount, 0))

    def close(self) -> None:
        """Let the answer go."""
        self.answer, self._closed = None, True

    def setinputsizes(self, sizes: object) -> None:
        """Nothing to do."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Nothing to do."""

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        while (row := self.fetchone()) is not None:
            yield row

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Self:
        if self._closed:
            raise InterfaceError("the cursor is closed; take another")
        return self


def _type_of(values: Sequence[Value]) -> str:
    """What a column holds, by the values that came: they are public."""
    found = {type(value) for value in values if value is not None}
    if not found or str in found:
        return "VARCHAR"
    return "BOOLEAN" if found == {bool} else "BIGINT" if found == {int} else "DOUBLE"


def _told(error: ShoalError) -> DatabaseError:
    """An error of ours as the standard calls it."""
    match error:
        case Spent():
            return BudgetSpent(f"{error}; ask its owner for more, or ask with a smaller epsilon")
        case NotAllowed():
            return NotSupportedError(str(error))
        case BadParameter():
            return ProgrammingError(str(error))
        case _:
            return OperationalError(str(error))


def _truth(options: Mapping[str, str], name: str, otherwise: bool) -> bool:
    word = options.get(name)
    if word is None:
        return otherwise
    if word.lower() not in _WORDS:
        raise ProgrammingError(f"{name} in the address is neither true nor false")
    return _WORDS[word.lower()]


def _seconds(word: str) -> float:
    try:
        seconds = float(Decimal(word))
    except ArithmeticError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise ProgrammingError("timeout in the address is no number of seconds; write timeout=600")
    return seconds
