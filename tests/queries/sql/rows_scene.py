"""A small table of nasty values, and row expressions over it run for real in DuckDB and PostgreSQL."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime

import duckdb
import psycopg
import sqlglot
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.sql.expressions import type_expression
from shoal.queries.sql.fixed_point import column_of
from shoal.queries.sql.typed_expression import TypedExpression

DIALECTS = ("duckdb", "postgres")
COLUMNS = (
    Column("age", "integer", 0, 120),
    Column("delta", "integer", -7, 5),
    Column("far", "integer", -(2.0**52), 2.0**52),
    Column("score", "number", -5.0, 5.0),
    Column("price", "number", 0.0, 1e6),
    Column("wee", "number", 0.0, 1e-3),
    Column("tiny", "number", -1e-200, 1e-200),
    Column("big", "integer"),
    Column("raw", "number"),
    Column("name", "text"),
    Column("colour", "text", keys=("red", "green", " Blue ", "12", "O'Neil")),
    Column("level", "integer", keys=(1, 2, 50), missing=False),
    Column("flag", "boolean"),
    Column("day", "date"),
    Column("other", "date"),
    Column("spring", "date", 18322, 18413),  # March to May 2020
    Column("moment", "timestamp"),
    Column("shift", "timestamp", 18322, 18352),  # March 2020
)
TABLE = Table("people", (Column("id", "text"), *COLUMNS), unit="id")
BIGGEST, SMALLEST = 1.7976931348623157e308, 2.2250738585072014e-308
NASTY: dict[str, Sequence[object]] = {
    "age": (None, 0, 1, 9, 10, 64, 119, 120),
    "delta": (0, -7, None, 5, -1, 1, 2),
    "far": (2**52, -(2**52), None, 0, 1),
    "score": (-5.0, 5.0, 0.0, None, "step", "-step", 2.5, -2.5, 0.5, -0.5, 1.25),
    "price": (0.0, 1e6, None, "step", 9.99, 100.0),
    "wee": (0.0, None, "step", 1e-3, 5e-4),
    "tiny": (0.0, 1e-200, -1e-200, "step", None, "-step"),
    "big": (2**63 - 1, -(2**63), None, 0, -1, 1, 2**53 + 1),
    "raw": (BIGGEST, -BIGGEST, 5e-324, -5e-324, 0.0, -0.0, None, 1.0, 0.1, -2.5, SMALLEST, 1e15, 1e16),
    "name": (
        None, "", " ", "%", "_", "'", "O'Neil", '"', "\\", "\\'", "--", "/*", "é", "ß", "日本語",
        "🐟", "A\u0301", "12", " -7 ", "+3.25", "1e5", "nan", "inf", "9" * 15, "9" * 16,
        "-" + "9" * 15 + "." + "9" * 15, "0x10", "12\n", "2024-02-29", "2023-02-29", "0001-01-01",
        "9999-12-31", "0000-01-01", "true", " F ", "yes", "x" * 3000, "\x01", "\u00a0nbsp", "1" + " " * 70,
        "-0", ".5", "5.", "٣",
    ),
    "colour": (None, "red", "green", " Blue ", "12", "O'Neil"),
    "level": (1, 2, 50, None),
    "flag": (True, None, False),
    "day": (date(9999, 12, 31), date(1, 1, 1), None, date(2024, 2, 29), date(1970, 1, 1)),
    "other": (date(1, 1, 1), None, date(9999, 12, 31), date(2000, 6, 15)),
    "spring": (date(2020, 3, 1), date(2020, 5, 31), None, date(2020, 4, 30)),
    "moment": (
        datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_999), None,
        datetime(1969, 12, 31, 23, 59, 59, 1),
        datetime(2024, 2, 29, 12, 30, 45, 999_999), datetime(1970, 1, 1), datetime(1582, 10, 10, 0, 0, 1),
    ),
    "shift": (
        datetime(2020, 3, 1), datetime(2020, 3, 31, 23, 59, 59, 999_999), None, datetime(2020, 3, 8, 5),
    ),
}  # fmt: skip
ROWS = 97
STRIDES = (
    53,
    59,
    61,
    67,
    71,
    73,
    79,
    83,
    89,
    97,
    101,
    103,
    107,
    109,
    113,
    127,
    131,
    137,
)  # primes, so that no value is left out
TYPES = {
    "integer": ("BIGINT", "BIGINT"),
    "number": ("DOUBLE", "DOUBLE PRECISION"),
    "text": ("VARCHAR", "TEXT"),
    "boolean": ("BOOLEAN", "BOOLEAN"),
    "date": ("DATE", "DATE"),
    "timestamp": ("TIMESTAMP", "TIMESTAMP"),
}


class People:
    """The scope of the table, as `relations.Scope` gives it."""

    def column(self, name: str, table: str | None) -> TypedExpression:
        known = {column.name: column for column in TABLE.columns}
        if name.lower() not in known or table not in (None, "people"):
            raise NotAllowed(f"no column '{name}'")
        return column_of(known[name.lower()], "t0", TABLE)


def _code(column: Column, value: object) -> object:
    """As the store holds it."""
    if not column.coded or value is None:
        return value
    if isinstance(value, str):
        return 1 if value == "step" else -1
    assert isinstance(value, int | float) and column.low is not None and column.high is not None
    code = round(value / float(column.grid))
    return max(
        math.ceil(column.low / float(column.grid)), min(math.floor(column.high / float(column.grid)), code)
    )


STORED: list[dict[str, object]] = [
    {
        column.name: _code(column, NASTY[column.name][row * STRIDES[place] % len(NASTY[column.name])])
        for place, column in enumerate(COLUMNS)
    }
    for row in range(ROWS)
]


def seen(row: dict[str, object]) -> dict[str, object]:
    """A stored row as an expression sees it."""
    return {
        column.name: float(column.grid) * value  # type: ignore[operator]
        if column.coded and column.kind == "number" and (value := row[column.name]) is not None
        else row[column.name]
        for column in COLUMNS
    }


SEEN = [seen(row) for row in STORED]


def parsed(sql: str) -> exp.Expression:
    """An expression of the analyst."""
    found: exp.Expression = sqlglot.parse_one(f"SELECT {sql}", read="duckdb").expressions[0]
    return found


def rebuilt(sql: str, dialect: str = "duckdb") -> TypedExpression:
    """The same, rebuilt."""
    return type_expression(parsed(sql), People(), dialect)


@dataclass
class Engines:
    """Both engines with the same rows."""

    duck: duckdb.DuckDBPyConnection
    postgres: psycopg.Connection

    def run(self, dialect: str, expressions: Sequence[exp.Expression]) -> list[tuple[object, ...]]:
        chosen = ", ".join(part.sql(dialect=dialect) for part in expressions)
        sql = f'SELECT {chosen} FROM rows_of_people AS t0 ORDER BY t0."row"'
        if dialect == "duckdb":
            return self.duck.execute(sql).fetchall()
        return self.postgres.execute(sql).fetchall()

    def values(self, sql: str, dialect: str) -> list[object]:
        return [row[0] for row in self.run(dialect, [rebuilt(sql, dialect).sql])]


@contextmanager
def engines(address: str) -> Iterator[Engines]:
    """Both engines, the table filled."""
    with duckdb.connect() as duck, psycopg.connect(address, autocommit=True) as postgres:
        marks = ", ".join("?" for _ in range(len(COLUMNS) + 1))
        rows = [(number, *row.values()) for number, row in enumerate(STORED)]
        for index, run in enumerate((duck.execute, postgres.execute)):
            kinds = ("integer" if column.coded else column.kind for column in COLUMNS)
            fields = ", ".join(
                f'"{column.name}" {TYPES[kind][index]}' for column, kind in zip(COLUMNS, kinds, strict=True)
            )
            run(f'CREATE TEMP TABLE rows_of_people ("row" BIGINT, {fields})')  # type: ignore[operator]
        duck.executemany(f"INSERT INTO rows_of_people VALUES ({marks})", rows)
        with postgres.cursor() as cursor:
            cursor.executemany(f"INSERT INTO rows_of_people VALUES ({marks.replace('?', '%s')})", rows)
        yield Engines(duck, postgres)


def check(found: TypedExpression, values: Sequence[object]) -> None:
    """What an expression promises of its values."""
    kinds = {"integer": int, "number": float, "text": str, "boolean": bool, "date": date}
    kinds["timestamp"] = datetime
    for value in values:
        if value is None:
            continue
        assert type(value) is kinds[found.kind], (value, found.kind)
        if isinstance(value, float):
            assert math.isfinite(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert found.low is None or value >= found.low, (value, found.low)
            assert found.high is None or value <= found.high, (value, found.high)
        if isinstance(value, date):
            day = (date(value.year, value.month, value.day) - date(1970, 1, 1)).days
            assert found.low is None or day >= found.low, (value, found.low)
            assert found.high is None or day <= found.high, (value, found.high)
            value = str(value)
        if found.domain is not None:
            assert value in found.domain, (value, found.domain[:20])


def near(one: object, two: object, scale: float = 1.0) -> bool:
    """The same, but for the last bits of a double."""
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12 * scale)
    return one == two
