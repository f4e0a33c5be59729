"""Groups found in the data: with one person more, however odd, the answer has the same form and price."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import polars as pl
import psycopg
import pytest

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

NAMES = ["pid", "city", "day", "n", "x"]
COLUMNS = (
    Column("pid", "text"),
    Column("city", "text"),
    Column("day", "date"),
    Column("n", "integer"),
    Column("x", "number", 0.0, 10.0),
)
CLINIC = Dataset(
    "clinic",
    (Table("t", COLUMNS, "pid", rows=2, groups=2),),
    Budget(Fraction(100), Fraction(1, 100)),
    accounting="approximate",
)
CROWD = [(f"p{i}", f"c{i % 3}", f"2020-01-0{1 + i % 3}", i % 4, float(i % 10)) for i in range(60)]
QUESTIONS = (
    "SELECT city, COUNT(*) AS c FROM t GROUP BY city",
    "SELECT day, AVG(x) AS a FROM t GROUP BY day",
    "SELECT n, SUM(x) AS s, MEDIAN(x) AS m FROM t GROUP BY n",
    "SELECT city, n, COUNT(DISTINCT pid) AS c FROM t GROUP BY city, n ORDER BY c DESC",
    "SELECT city, COUNT(*) AS c FROM t WHERE x > 100 GROUP BY city",
    "SELECT city, MAX(x) AS m FROM t WHERE n = 77 GROUP BY city HAVING COUNT(*) > 2",
)
ODD = [
    ("z", None, None, None, None),
    ("z", "\U0010ffff", "9999-12-31", 2**62, 1e308),
    ("z", "", "0001-01-01", -(2**63), -1e308),
    ("z", "a" * 70_000, "no day", 0, math.nan),
]


def forms(rows: list[tuple[Any, ...]]) -> list[Any]:
    """All of every answer but its rows, whose number is a matter of noise."""
    store = DuckStore(CLINIC)
    try:
        if rows:
            store.load("t", pl.DataFrame(rows, schema=NAMES, orient="row", strict=False))
        session = Session(CLINIC, store, passing_ledger())
        session.grant("owner")
        answers = [session.ask(question, Fraction(1)) for question in QUESTIONS]
        return [(a.columns, a.spent, a.remaining, a.notes, a.query, sorted(a.error)) for a in answers]
    finally:
        store.close()


@pytest.mark.parametrize("one", ODD)
def test_one_person_more_changes_neither_form_nor_price(one: tuple[Any, ...]) -> None:
    assert forms([*CROWD, one]) == forms(CROWD)


def test_nobody_and_one_alone_get_an_answer_like_everybody() -> None:
    assert forms([]) == forms([ODD[0]]) == forms(CROWD)


NOUGHT = "CASE WHEN pid = '{pid}' THEN -1.0 ELSE 1.0 END * (x * 0.0)"  # -0 for one person, else 0


def in_postgres(address: str, rows: list[tuple[Any, ...]]) -> PostgresStore:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS nought CASCADE")
        connection.execute("CREATE SCHEMA nought")
        connection.execute(
            "CREATE TABLE nought.t (pid text, city text, day text, n bigint, x double precision)"
        )
        with connection.cursor().copy("COPY nought.t FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    return PostgresStore(CLINIC, address, schema="nought")


UNKNOWN = [(f"q{i}", "c0", "2020-01-01", 1, None) for i in range(30)]  # a group of their own


@pytest.mark.parametrize("rows", [CROWD, CROWD + UNKNOWN], ids=["one group", "two groups"])
@pytest.mark.parametrize("engine", ["duckdb", "postgresql"])
def test_whose_row_came_first_is_not_seen_by_the_sign_of_nought(
    engine: str, rows: list[tuple[Any, ...]], request: pytest.FixtureRequest
) -> None:
    """-0 and 0 are one group, named after the row that an engine met first: p0, when p0 comes first.

    The answer's rows had the sign taken off, and its intervals told it: 100 of 100 secrets at ε = 0.01. Where
    there are several groups, Polars takes the sum of a column and 0.0 for the column itself.
    """
    store: DuckStore | PostgresStore
    if engine == "duckdb":
        store = DuckStore(CLINIC, threads=1)
        store.load("t", pl.DataFrame(rows, schema=NAMES, orient="row"))
    else:
        store = in_postgres(request.getfixturevalue("postgres"), rows)
    try:
        session = Session(CLINIC, store, passing_ledger())
        session.grant("owner")
        told: list[list[float]] = []
        for pid in ("p0", "nobody"):
            key = NOUGHT.format(pid=pid)
            sql = f"SELECT {key} AS k, {key} * COUNT(*) AS c, {key} * MEDIAN(x) AS m FROM t GROUP BY 1"
            answer = session.ask(sql, Fraction(10), Fraction(1, 1000))
            document: Any = answer.to_json()
            # Of the group of 0 no more than signs is looked at: noise is new every time.
            cells = [
                cell
                for row, about in zip(document["rows"], document["interval"], strict=True)
                if row[0] is not None
                for cell in (*row, *(end for pair in about if pair is not None for end in pair))
            ]
            told.append([math.copysign(1, cell) for cell in cells if cell == 0])
        assert told[0] and set(told[0]) == set(told[1]) == {1.0}
    finally:
        store.close()
