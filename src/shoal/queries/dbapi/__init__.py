"""A service as a database of Python: DB-API 2.0 (PEP 249), which pandas, Polars and notebooks speak.

    connection = connect("shoal://127.0.0.1:8765/clinic?epsilon=0.1")     # the token from SHOAL_TOKEN
    cursor = connection.cursor()
    cursor.execute("SELECT ward, COUNT(*) FROM visits WHERE age > ? GROUP BY ward", [40])
    cursor.fetchall(), cursor.answer.error

Every `execute` costs ε: that of the connection, or its own. There is nothing to commit, and a rollback gives
nothing back: what is spent is spent.
"""

from __future__ import annotations

from datetime import date, datetime

from shoal.queries.dbapi.connection import Connection, Cursor, connect
from shoal.queries.dbapi.errors import (
    BudgetSpent,
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Warning,
)

apilevel = "2.0"
threadsafety = 2  # threads may share the module and connections
paramstyle = "qmark"


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

__all__ = [
    "BINARY",
    "DATETIME",
    "NUMBER",
    "ROWID",
    "STRING",
    "BudgetSpent",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Timestamp",
    "Warning",
    "apilevel",
    "connect",
    "paramstyle",
    "threadsafety",
]
