"""One table of odd rows, given alike to both engines, and each row as an expression must see it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

import polars as pl
import psycopg
from sqlglot import exp

from queries.stores.odd import Cell, twin
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.query import Prepared
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore
from shoal.queries.stores.store import Store

KEYS = ("red", "green", " Blue ", "12", "O'Neil")
COLUMNS = (
    Column("row", "integer"),
    Column("age", "integer", 0, 120),
    Column("delta", "integer", -7, 5),
    Column("far", "integer", -(2.0**52), 2.0**52),
    Column("level", "integer", keys=(1, 2, 50), missing=False),
    Column("big", "integer"),
    Column("score", "number", -5.0, 5.0),
    Column("price", "number", 0.0, 1e6),
    Column("wee", "number", 0.0, 1e-3),
    Column("tiny", "number", -1e-200, 1e-200),
    Column("huge", "number", 0.0, 4e15),
    Column("raw", "number"),
    Column("written", "number"),
    Column("name", "text"),
    Column("colour", "text", keys=KEYS),
    Column("flag", "boolean"),
    Column("truth", "boolean"),
    Column("day", "date"),
    Column("other", "date"),
    Column("spring", "date", 18322, 18413),
    Column("moment", "timestamp"),
    Column("stamp", "timestamp"),
    Column("shift", "timestamp", 18322, 18352),
)
PEOPLE = Table("people", (Column("id"), *COLUMNS), unit="id", rows=2)
VISITS = Table("visits", (Column("id"), Column("mark", "integer")), unit="id")
WORDS = ("", " ", "red", "12", "ß", "İ", "🐟", "e\u0301", "x" * 1_000, "x" * 10_000, "2024-02-29", "true")
WARDS = Table("wards", (Column("word"), Column("number", "integer"), Column("date", "date")))
DATASET = Dataset(
    "odd", (PEOPLE, VISITS, WARDS), Budget(Fraction(10**6), Fraction(1, 1000)), accounting="approximate"
)
NAN, INF = float("nan"), float("inf")
FAR_DAYS = (2**31 - 2, -(2**31) + 2, 2932897, -719163)  # beyond what a date may be, in days from 1970
FAR_TEXTS = ("infinity", "-infinity", "10000-01-01", "0001-12-31 BC")
_NUMBERS = (
    5e-324, -5e-324, 2.2250738585072014e-308, 1e-308, -1e-308, 0.0, -0.0, 1e308, -1e308, NAN, INF,
    -INF, 0.1, 1.0, 2.5,
    -2.5, 0.5, 1e15, 1e16, 99.99, 1e-3, 1e-200, 3e5, 119.99999999999999, None,
)  # fmt: skip
_WRITTEN = (
    "1e400", "-1e400", "1e-400", "5e-324", " 12 ", "0x10", "١٢", "nan", "inf", "-Infinity", "1e308",
    "9" * 30, "1_000",
    "1,5", "-0", ".5", "5.", "", "1e5", "2.5", "-2.5", "0.49999999999999994", "9" * 201, "9.99", "1e99", None,
)  # fmt: skip
_TEXTS = (
    None, "", " ", "%", "_", "'", "O'Neil", '"', "\\", "--", "/*", "é", "e\u0301", "ß", "ẞ", "İ", "ı",
    "日本語", "🐟", "👩‍👩‍👧",
    "שלום", "\u202eabc", "\u200b", "\ufeff", "A\u0301\u0302", "ﬃ", "12", " -7 ", "+3.25", "1e5",
    "1e400", "0x10", "١٢",
    "9" * 15, "9" * 16, "-" + "9" * 15 + "." + "9" * 15, "12\n", "\t12", "2024-02-29", "2023-02-29",
    "0001-01-01",
    "9999-12-31", "0000-01-01", "10000-01-01", "true", " F ", "YES", "x" * 10_000, "ß" * 9_999, "🐟" * 3_000,
    " " * 10_000, "\x01", "\u00a0nbsp", "-0", ".5", "red", "x" * 999, "\U0010ffff", "\ud7ff", "1" * 10_000,
)  # fmt: skip
_WHOLES = (
    0,
    1,
    -1,
    2,
    9,
    10,
    64,
    119,
    120,
    121,
    -8,
    2**53 + 1,
    2**63 - 1,
    -(2**63),
    2**62,
    -(2**53) - 1,
    None,
)
_DAYS = (
    date(1, 1, 1), date(9999, 12, 31), date(2024, 2, 29), date(1970, 1, 1), date(1582, 10, 15),
    date(2000, 12, 31), None,
    *FAR_DAYS,
)  # fmt: skip
_DATES = (
    "0001-01-01", "9999-12-31", "2024-02-29", "2023-02-29", "0000-01-01", "infinity", "epoch", "now",
    "10000-01-01",
    "2020-01-01T25:99", "2020-01-01x", "", None,
)  # fmt: skip
_MOMENTS = (
    datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_999),
    datetime(1969, 12, 31, 23, 59, 59, 999_999),
    datetime(2024, 2, 29, 12, 30, 45, 500_000), datetime(1970, 1, 1), datetime(2020, 3, 31, 23, 59, 59, 1),
    datetime(2020, 3, 8), datetime(9999, 12, 31), None,
)  # fmt: skip
_STAMPS = (
    *_DATES, "2020-02-29 23:59:59.999999", "2020-02-29T24:00:00", "2020-02-29T10:00", "2020-02-29T10:00:00Z",
    "2020-02-29 10:00:00+02", "2020-02-29T10:00:00.123456789", "9999-12-31 23:59:59.9999999",
)  # fmt: skip
_GIVEN: dict[str, Sequence[Any]] = {
    "age": _WRITTEN, "delta": _WHOLES, "far": _WHOLES, "level": (1, 2, 50, 3, None), "big": _WHOLES,
    "score": _NUMBERS,
    "price": _WRITTEN, "wee": _NUMBERS, "tiny": _NUMBERS, "huge": _NUMBERS, "raw": _NUMBERS,
    "written": _WRITTEN,
    "name": _TEXTS, "colour": (*KEYS, "blue", "", None, "x" * 10_000), "flag": (True, False, None),
    "truth": ("true", "F", " yes ", "1", "nein", "", None), "day": _DAYS, "other": _DATES,
    "spring": _DAYS[:7], "moment": _MOMENTS, "stamp": _STAMPS, "shift": _MOMENTS,
}  # fmt: skip
_TYPES: dict[type, str] = {
    str: "text",
    int: "bigint",
    float: "double precision",
    bool: "boolean",
    date: "date",
}
_TYPES[datetime] = "timestamp"
_FRAMES: dict[type, Any] = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean, date: pl.Date}
_FRAMES[datetime] = pl.Datetime("us")
Row = dict[str, Any]


def _given_as(name: str) -> type:
    return next(type(value) for value in _GIVEN[name] if value is not None)


def types_of_people() -> dict[str, str]:
    """The columns of people and as what PostgreSQL is given them."""
    return {"row": "bigint", **{name: _TYPES[_given_as(name)] for name in _GIVEN}}


def given(rng: random.Random, number: int) -> list[Row]:
    """Rows as somebody hands them in: every odd value once at least, in pairs by chance."""
    cells = {}
    for name, values in _GIVEN.items():
        chosen = [*values, *rng.choices(values, k=max(0, number - len(values)))]
        rng.shuffle(chosen)
        cells[name] = chosen
    return [{"row": row, **{name: values[row] for name, values in cells.items()}} for row in range(number)]


def seen(row: Row) -> Row:
    """What an expression sees of a row: cleaned, clamped, in steps."""
    found: Row = {}
    for column in COLUMNS:
        cell: Cell = row[column.name]
        if column.name == "day" and isinstance(cell, int):
            cell = None
        held = twin(column, cell)
        if column.bounded and column.kind == "number" and isinstance(held, int):
            held = held * float(column.grid)
        found[column.name] = held
    return found


def frame_of(rows: Sequence[Row]) -> pl.DataFrame:
    """Rows of people as a store is given them."""
    people: dict[str, Any] = {
        "id": pl.Series([row["id"] for row in rows], dtype=pl.String),
        "row": pl.Series([row["row"] for row in rows], dtype=pl.Int64),
    }
    for name in _GIVEN:
        values = [row[name] for row in rows]
        if name == "day":
            days = [(value - date(1970, 1, 1)).days if isinstance(value, date) else value for value in values]
            people[name] = pl.Series(days, dtype=pl.Int32).cast(pl.Date)
        else:
            people[name] = pl.Series(values, dtype=_FRAMES[_given_as(name)])
    return pl.DataFrame(people)


def _frames(rows: list[Row]) -> dict[str, pl.DataFrame]:
    people = frame_of([{"id": f"P{row['row']}", **row} for row in rows])
    visits = people.select("id", mark="row")
    return {"people": people, "visits": visits, "wards": pl.DataFrame(wards())}


def wards() -> dict[str, Sequence[Any]]:
    """The public rows: every word, number and date once."""
    number = len(WORDS)
    days = [date(1, 1, 1), date(9999, 12, 31), date(2024, 2, 29)] * number
    return {"word": list(WORDS), "number": list(range(number)), "date": days[:3] + [None] * (number - 3)}


class Kept:
    """PostgreSQL with the rows cleaned once and not for every question: what stays is what expressions do."""

    dialect = "postgres"
    version = 0

    def __init__(self, store: PostgresStore, schema: str) -> None:
        self.store = store
        self._schema = schema

    def relation(self, table: Table) -> exp.Expression:
        return exp.table_(f"clean_{table.name}", db=self._schema, quoted=True)

    def run(self, selects: Sequence[exp.Select], within: float | None = None) -> list[pl.DataFrame]:
        return self.store.run(selects, within)

    def prepare(self, select: exp.Select) -> None:
        return self.store.prepare(select)

    def rows(self, prepared: Sequence[Prepared], within: float | None = None) -> list[tuple[int | None, ...]]:
        return self.store.rows(prepared, within)

    def cancel(self) -> None:
        self.store.cancel()


@dataclass(frozen=True)
class Scene:
    """Both engines with the same rows."""

    rows: list[Row]  # as expressions see them
    duck: DuckStore
    postgres: Kept
    uncleaned: PostgresStore

    @property
    def stores(self) -> tuple[Store, ...]:
        return self.duck, self.postgres


@contextmanager
def opened(address: str, rng: random.Random, number: int = 80) -> Iterator[Scene]:
    """The rows in DuckDB, and as they are in a PostgreSQL."""
    rows = given(rng, number)
    duck = DuckStore(DATASET, threads=1)
    for name, frame in _frames(rows).items():
        duck.load(name, frame)
    schema = f"adversary_{rng.randrange(10**9)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        _fill(connection, schema, rows)
    there = PostgresStore(DATASET, address, schema=schema)
    with psycopg.connect(address, autocommit=True) as connection:
        for table in DATASET.tables:
            rows_of = there.relation(table).sql(dialect="postgres")
            connection.execute(f"CREATE TABLE {schema}.clean_{table.name} AS SELECT * FROM {rows_of} AS c")
    try:
        yield Scene(
            [seen(row) for row in rows], duck, Kept(PostgresStore(DATASET, address, schema), schema), there
        )
    finally:
        there.close()
        duck.close()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


def _fill(connection: psycopg.Connection, schema: str, rows: list[Row]) -> None:
    names = list(_GIVEN)
    kinds = ", ".join(f'"{name}" {kind}' for name, kind in types_of_people().items())
    connection.execute(f"CREATE TABLE {schema}.people (id text, {kinds})")
    connection.execute(f"CREATE TABLE {schema}.visits (id text PRIMARY KEY, mark bigint)")
    connection.execute(f"CREATE TABLE {schema}.wards (word text, number bigint, date date)")
    marks = ", ".join("%s" if name != "day" else "%s::text::date" for name in ("id", "row", *names))
    with connection.cursor() as cursor:
        for row in rows:
            cells = {
                **row,
                "day": FAR_TEXTS[FAR_DAYS.index(row["day"])] if row["day"] in FAR_DAYS else row["day"],
            }
            values = [f"P{row['row']}", *cells.values()]
            cursor.execute(f"INSERT INTO {schema}.people VALUES ({marks})", values)
            cursor.execute(f"INSERT INTO {schema}.visits VALUES (%s, %s)", [values[0], row["row"]])
        for line in zip(*wards().values(), strict=True):
            cursor.execute(f"INSERT INTO {schema}.wards VALUES (%s, %s, %s)", line)
