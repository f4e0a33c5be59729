"""Data sets as analysts' suites have them, with a few made-up rows each, and the questions of each."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Link, Table, hang
from shoal.queries.stores.duckdb_store import DuckStore

ROWS = 200
DAY = datetime.date(2013, 7, 1)
_MADE: dict[str, Callable[[np.random.Generator, Column], Any]] = {
    "boolean": lambda chance, _: bool(chance.integers(2)),
    "date": lambda chance, _: DAY + datetime.timedelta(int(chance.integers(60))),
    "timestamp": lambda chance, _: (
        datetime.datetime(2013, 7, 1) + datetime.timedelta(hours=int(chance.integers(60 * 24)))
    ),
    "text": lambda chance, _: ("google", "Berlin", "http://www.a.org/b", "")[chance.integers(4)],
}


@dataclass(frozen=True)
class Style:
    """A data set with rows, and the questions that are asked of it."""

    name: str
    dataset: Dataset
    store: DuckStore
    questions: tuple[str, ...]


def styles() -> Iterator[Style]:
    """All of them, one after the other, with a second and a third suite of each.

    The second was written by somebody who had not looked at the first, and nothing was left out of it. The
    third was written to find gaps, and was answered to 58 % before those that it found were mended.
    """
    for name, tables in _TABLES.items():
        dataset = Dataset(name, tables, Budget(Fraction(10**6), Fraction(1, 2)), accounting="approximate")
        store = DuckStore(dataset)
        for table in tables:
            store.load(table.name, rows(table))
        try:
            yield Style(name, dataset, store, questions(name))
            yield Style(f"{name} again", dataset, store, questions(f"{name}_again"))
            yield Style(f"{name} third", dataset, store, questions(f"{name}_third"))
        finally:
            store.close()


def questions(name: str) -> tuple[str, ...]:
    """The questions of a style; what begins with -- has no private meaning, and says why."""
    lines = Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.strip() and not line.startswith("--"))


def rows(table: Table) -> pl.DataFrame:
    """Made-up rows, the same every time."""
    chance = np.random.default_rng(len(table.columns))
    made = {
        column.name: [_value(chance, table, column, row) for row in range(ROWS)]
        for column in table.given.columns
    }
    return pl.DataFrame(made, strict=False)


def _value(chance: np.random.Generator, table: Table, column: Column, row: int) -> Any:
    if column is table.columns[0] or column.name == table.unit:
        return row % ROWS if table.rows == 1 else row % (ROWS // 4)
    if column.keys:
        return column.keys[int(chance.integers(len(column.keys)))]
    if column.kind in _MADE:
        return _MADE[column.kind](chance, column)
    low, high = (0, 50) if column.low is None or column.high is None else (column.low, column.high)
    drawn = chance.uniform(low, high)
    return int(drawn) if column.kind == "integer" else float(drawn)


def _integer(name: str, low: float | None = None, high: float | None = None) -> Column:
    return Column(name, "integer", low, high)


MONTH = (15_887.0, 15_947.0)  # July and August 2013
ORDERS = Table(
    "orders",
    (
        _integer("o_custkey"),
        _integer("o_orderkey"),
        Column("o_orderdate", "date"),
        Column("o_orderpriority", keys=("1-URGENT", "2-HIGH", "3-MEDIUM")),
        Column("o_orderstatus", keys=("F", "O", "P")),
        Column("o_comment"),
    ),
    unit="o_custkey",
    rows=10,
    groups=10,
)
LINEITEM = hang(
    Table(
        "lineitem",
        (
            _integer("l_orderkey"),
            _integer("l_partkey"),
            _integer("l_suppkey"),
            Column("l_quantity", "number", 0, 50),
            Column("l_extendedprice", "number", 0, 100_000),
            Column("l_discount", "number", 0, 0.1),
            Column("l_tax", "number", 0, 0.1),
            Column("l_returnflag", keys=("A", "N", "R")),
            Column("l_linestatus", keys=("O", "F")),
            Column("l_shipdate", "date"),
            Column("l_commitdate", "date"),
            Column("l_receiptdate", "date"),
            Column("l_shipmode", keys=("MAIL", "SHIP", "AIR")),
            Column("l_shipinstruct", keys=("DELIVER IN PERSON", "NONE")),
        ),
        groups=70,
    ),
    ORDERS,
    Link("l_orderkey", "orders", "o_orderkey", 7),
)
_TABLES: dict[str, tuple[Table, ...]] = {
    "smartnoise": (
        Table(
            "PUMS",
            (
                _integer("pid"),
                _integer("age", 0, 100),
                Column("sex", keys=("0", "1")),
                _integer("educ", 1, 16),
                Column("race", keys=("1", "2", "3", "4", "5", "6")),
                Column("income", "number", 0, 500_000),
                _integer("married", 0, 1),
            ),
            unit="pid",
        ),
    ),
    "qrlew": (
        Table(
            "user_table",
            (
                _integer("id"),
                _integer("age", 0, 120),
                Column("income", "number", 0, 10_000),
                Column("city", keys=("Paris", "Lyon", "Nice")),
            ),
            unit="id",
        ),
        Table(
            "order_table",
            (
                _integer("user_id"),
                _integer("item"),
                Column("amount", "number", 0, 100),
                Column("day", "date"),
            ),
            unit="user_id",
            rows=5,
            groups=5,
        ),
        Table("item_table", (_integer("item"), Column("category"))),
    ),
    "clickbench": (
        Table(
            "hits",
            (
                Column("UserID", "integer"),
                _integer("AdvEngineID", 0, 255),
                _integer("ResolutionWidth", 0, 8_000),
                _integer("ResolutionHeight", 0, 8_000),
                _integer("UserAge", 0, 120),
                _integer("RegionID", 0, 10_000),
                _integer("CounterID"),
                _integer("ClientIP", 0, 2**32),
                _integer("IsRefresh", 0, 1),
                _integer("SearchEngineID", 0, 200),
                _integer("TraficSourceID", -1, 20),
                _integer("MobilePhone", 0, 200),
                Column("MobilePhoneModel"),
                Column("SearchPhrase"),
                Column("URL"),
                Column("Title"),
                Column("Referer"),
                Column("EventDate", "date", *MONTH),
                Column("EventTime", "timestamp", *MONTH),
            ),
            unit="UserID",
            rows=20,
            groups=10,
        ),
    ),
    "diffix": (
        Table(
            "customers",
            (
                _integer("id"),
                Column("city", keys=("Berlin", "Rome")),
                Column("planet", keys=("Earth", "Mars")),
                Column("discount", "number", 0, 10),
                Column("last_name"),
            ),
            unit="id",
        ),
        Table(
            "purchases",
            (
                _integer("cid"),
                _integer("pid"),
                Column("amount", "number", 0, 100),
                Column("day", "date"),
            ),
            unit="cid",
            rows=5,
            groups=5,
        ),
        Table("products", (_integer("id"), Column("name"))),
    ),
    "tpch": (
        Table(
            "customer",
            (
                _integer("c_custkey"),
                _integer("c_nationkey"),
                Column("c_mktsegment", keys=("BUILDING", "MACHINERY")),
                Column("c_phone"),
                Column("c_acctbal", "number", -1_000, 10_000),
            ),
            unit="c_custkey",
        ),
        ORDERS,
        LINEITEM,
        Table("supplier", (_integer("s_suppkey"), Column("s_name"), _integer("s_nationkey"))),
        Table("nation", (_integer("n_nationkey"), Column("n_name"), _integer("n_regionkey"))),
        Table("region", (_integer("r_regionkey"), Column("r_name"))),
        Table(
            "part",
            (
                _integer("p_partkey"),
                Column("p_name"),
                Column("p_type"),
                Column("p_brand"),
                Column("p_container"),
                _integer("p_size", 0, 50),
            ),
        ),
        Table(
            "partsupp",
            (_integer("ps_partkey"), _integer("ps_suppkey"), Column("ps_supplycost", "number", 0, 1_000)),
        ),
    ),
    "dashboards": (
        Table(
            "sales",
            (
                _integer("id"),
                _integer("buyer"),
                Column("amount", "number", 0, 500),
                Column("discount", "number", 0, 50),
                Column("channel", keys=("web", "shop", "phone")),
                Column("status", keys=("paid", "open", "void")),
                Column("placed_at", "timestamp", 15_700, 16_100),
            ),
            unit="buyer",
            rows=10,
            groups=10,
        ),
        Table("buyers", (_integer("buyer"), Column("segment", keys=("new", "old"))), unit="buyer"),
    ),
}
