"""Groups found in the data: with one person more, however odd, the answer has the same form and price."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore

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
