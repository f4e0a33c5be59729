"""A connection to a service and its cursors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from shoal.core.errors import ShoalError
from shoal.queries.client import Client, Figure
from shoal.queries.client import connect as connect_client
from shoal.queries.dbapi import errors
from shoal.queries.dbapi.address import address_of
from shoal.queries.dbapi.errors import standard_error
from shoal.queries.dbapi.parameters import put_in
from shoal.queries.declaration.declaration import Value
from shoal.queries.results import Answer

TOKEN = "SHOAL_TOKEN"  # the variable that may hold the token
_CONSTANT = re.compile(
    r"\s*SELECT\s+(?:(?P<number>[+-]?[0-9]{1,18})|'(?P<text>[^']*)')"
    r"(?:\s+(?:AS\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*|\"[^\"]+\"))?\s*;?\s*",
    re.IGNORECASE,
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
        raise errors.ProgrammingError(f"no token; give token=…, or put it into the variable {TOKEN}")
    try:
        client = connect_client(found.url, whose, timeout or found.timeout, insecure or found.insecure)
    except ShoalError as error:
        raise standard_error(error) from None
    chosen = epsilon if epsilon is not None else found.epsilon
    return Connection(client, dataset or found.dataset, chosen, delta if delta is not None else found.delta)


class Connection:
    """An analyst at a data set of a service. `epsilon` is what a question costs that says nothing else."""

    Warning, Error, InterfaceError = errors.Warning, errors.Error, errors.InterfaceError
    DatabaseError, DataError = errors.DatabaseError, errors.DataError
    OperationalError, IntegrityError = errors.OperationalError, errors.IntegrityError
    InternalError, ProgrammingError = errors.InternalError, errors.ProgrammingError
    NotSupportedError = errors.NotSupportedError

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
            raise errors.InterfaceError("the connection is closed; connect again")
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
            raise standard_error(error) from None
        name = self.dataset or (next(iter(known)) if len(known) == 1 else None)
        if name not in known:
            raise errors.OperationalError(f"which data set? You may ask about: {', '.join(known) or 'none'}")
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
            raise errors.ProgrammingError(
                "what may the question cost? Add ?epsilon=0.1 to the address, or give epsilon=… to execute"
            )
        self.answer, self._next = None, 0
        try:
            text = put_in(sql, parameters)
        except ValueError as error:
            raise errors.DataError(str(error)) from None
        self.answer = _written(text)
        if self.answer is not None:
            return self
        chosen = delta if delta is not None else self.connection.delta
        try:
            self.answer = client.ask(text, price, chosen, self.connection.dataset)
        except ShoalError as error:
            raise standard_error(error) from None
        return self

    def executemany(self, sql: str, several: Sequence[Sequence[object]]) -> None:
        """Refused: each of them would cost ε, and only the last answer would be seen."""
        raise errors.NotSupportedError("every question costs ε; ask them one by one with execute")

    def fetchone(self) -> tuple[Value, ...] | None:
        """The next row."""
        found = self.fetchmany(1)
        return found[0] if found else None

    def fetchmany(self, size: int | None = None) -> list[tuple[Value, ...]]:
        """So many rows more."""
        answer = self._open().answer
        if answer is None:
            raise errors.InterfaceError("there is no answer yet; execute a question first")
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
            raise errors.InterfaceError("the cursor is closed; take another")
        return self


def _written(sql: str) -> Answer | None:
    """What tools ask to see whether somebody is there, SELECT 1: it reads nothing and costs nothing."""
    found = _CONSTANT.fullmatch(sql)
    if found is None:
        return None
    value: Value = found["text"] if found["number"] is None else int(found["number"])
    name = (found["name"] or str(value)).strip('"')
    return Answer((name,), ((value,),), {name: None}, ((None,),), {}, {}, (), True, sql, None)


def _type_of(values: Sequence[Value]) -> str:
    """What a column holds, by the values that came: they are public."""
    found = {type(value) for value in values if value is not None}
    if not found or str in found:
        return "VARCHAR"
    return "BOOLEAN" if found == {bool} else "BIGINT" if found == {int} else "DOUBLE"
