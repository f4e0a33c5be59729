"""A service behind SQLAlchemy, so that whatever connects by URL can ask: pandas, Polars, Superset, notebooks.

    engine = create_engine("shoal://127.0.0.1:8765/clinic?epsilon=0.1")    # the token from SHOAL_TOKEN
    pandas.read_sql("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward", engine)

A question costs the ε of the URL, or of its execution option `epsilon`. Tables and columns are those of the
declaration; nothing is asked of the data to list them.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Mapping
from datetime import date, datetime
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sqlalchemy import types
from sqlalchemy.engine import URL, Engine, default
from sqlalchemy.exc import NoSuchTableError

from shoal.queries.dbapi import Connection
from shoal.queries.dbapi.address import address_of

if TYPE_CHECKING:  # SQLAlchemy 1.4, which Superset stays with, has no such name
    from sqlalchemy.engine.interfaces import ReflectedColumn


class _Day(types.Date):
    """A day that comes as a text."""

    def result_processor(self, dialect: object, coltype: object) -> Callable[[Any], Any]:
        return lambda value: date.fromisoformat(value[:10]) if isinstance(value, str) else value


class _Moment(types.DateTime):
    """A moment that comes as a text."""

    def result_processor(self, dialect: object, coltype: object) -> Callable[[Any], Any]:
        return lambda value: datetime.fromisoformat(value) if isinstance(value, str) else value


_TYPES: Mapping[str, type[types.TypeEngine[Any]]] = {
    "integer": types.BigInteger,
    "number": types.Float,  # Double came with SQLAlchemy 2
    "text": types.String,
    "boolean": types.Boolean,
    "date": types.Date,
    "timestamp": types.DateTime,
}


class ShoalDialect(default.DefaultDialect):
    """SELECT only, over HTTP. There are no transactions: what is spent is spent."""

    name = "shoal"
    driver = "http"
    paramstyle = default_paramstyle = "qmark"
    supports_statement_cache = True
    supports_native_boolean = True
    supports_sane_rowcount = supports_sane_multi_rowcount = False
    supports_alter = supports_default_values = supports_empty_insert = False
    postfetch_lastrowid = False
    requires_name_normalize = False
    colspecs: Any = {  # noqa: RUF012 (as SQLAlchemy has it)
        types.Date: _Day,
        types.DateTime: _Moment,
    }

    @classmethod
    def import_dbapi(cls) -> ModuleType:
        """Our own module."""
        from shoal.queries import dbapi

        return dbapi

    @classmethod
    def dbapi(cls) -> ModuleType:  # type: ignore[override]
        """The same under the name that SQLAlchemy 1.4 knows."""
        return cls.import_dbapi()

    def create_connect_args(self, url: URL) -> Any:
        """What `dbapi.connect` is called with. The token travels beside the URL, which may be shown."""
        bare = url.set(username=None, password=None, drivername="shoal")
        token = url.password or url.username
        query = {name: value for name, value in bare.query.items() if isinstance(value, str)}
        text = f"{bare.set(query={}).render_as_string()}"
        text += f"?{urllib.parse.urlencode(query)}" if query else ""
        address_of(text)  # what is wrong with it is said before anything is connected
        return [text], {} if token is None else {"token": str(token)}

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """A token stands where SQLAlchemy hides what stands there."""
        if engine.url.username and not engine.url.password:
            engine.url = engine.url.set(username="token", password=engine.url.username)

    def initialize(self, connection: Any) -> None:
        """Nothing is asked of the service to get to know it."""
        self.default_schema_name = None

    def do_execute(self, cursor: Any, statement: Any, parameters: Any, context: Any = None) -> None:
        """Ask, at the price that the execution options name."""
        options = {} if context is None else context.execution_options
        cursor.execute(
            statement, parameters or (), epsilon=options.get("epsilon"), delta=options.get("delta")
        )

    def do_execute_no_params(self, cursor: Any, statement: Any, context: Any = None) -> None:
        """The same without parameters."""
        self.do_execute(cursor, statement, (), context)

    def do_ping(self, dbapi_connection: Any) -> bool:
        """Whether the service is there, at no cost."""
        dbapi_connection.declaration()
        return True

    def get_schema_names(self, connection: Any, **_: Any) -> list[str]:
        """One, called as the data set."""
        return [str(_declared(connection)["name"])]

    def get_table_names(self, connection: Any, schema: str | None = None, **_: Any) -> list[str]:
        """The tables of the declaration."""
        return [str(table["name"]) for table in _declared(connection)["tables"]]

    def get_view_names(self, connection: Any, schema: str | None = None, **_: Any) -> list[str]:
        """None."""
        return []

    def has_table(self, connection: Any, table_name: str, schema: str | None = None, **_: Any) -> bool:
        """Whether there is a table of that name, whatever the case."""
        return table_name.lower() in map(str.lower, self.get_table_names(connection))

    def get_columns(
        self, connection: Any, table_name: str, schema: str | None = None, **_: Any
    ) -> list[ReflectedColumn]:
        """The columns of a table with what its owner declared of them."""
        table = _table(connection, table_name)
        return [
            {
                "name": str(column["name"]),
                "type": _TYPES.get(column["kind"], types.String)(),
                "nullable": bool(column["missing"]),
                "default": None,
                "comment": _about(column, table["unit"]),
            }
            for column in table["columns"]
        ]

    def get_pk_constraint(self, connection: Any, table_name: str, schema: str | None = None, **_: Any) -> Any:
        """None is declared."""
        return {"constrained_columns": [], "name": None}

    def get_foreign_keys(self, connection: Any, table_name: str, schema: str | None = None, **_: Any) -> Any:
        """None is told."""
        return []

    def get_indexes(self, connection: Any, table_name: str, schema: str | None = None, **_: Any) -> Any:
        """None."""
        return []

    def get_unique_constraints(
        self, connection: Any, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        """None."""
        return []

    def get_check_constraints(
        self, connection: Any, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        """None."""
        return []

    def get_table_comment(self, connection: Any, table_name: str, schema: str | None = None, **_: Any) -> Any:
        """Whose rows they are."""
        table = _table(connection, table_name)
        words = "public" if table["unit"] is None else f"at most {table['rows']} rows of each {table['unit']}"
        return {"text": words}


def _declared(connection: Any) -> Mapping[str, Any]:
    inner: Connection = connection.connection.dbapi_connection
    return inner.declaration()


def _table(connection: Any, name: str) -> Mapping[str, Any]:
    for table in _declared(connection)["tables"]:
        if table["name"].lower() == name.lower():
            found: Mapping[str, Any] = table
            return found
    raise NoSuchTableError(name)


def _about(column: Mapping[str, Any], unit: str | None) -> str | None:
    """What an analyst wants to know beside the type."""
    if unit is not None and column["name"].lower() == unit.lower():
        return "tells whose row it is; it can be counted and joined by, never shown"
    if column["low"] is not None:
        return f"{column['low']:g} to {column['high']:g}"
    if column["keys"] is not None:
        shown = ", ".join(map(str, column["keys"][:20]))
        return f"one of {shown}{' …' if len(column['keys']) > 20 else ''}"
    return None
