"""The same question to DuckDB and to a real PostgreSQL: the same whole numbers before any noise."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import polars as pl
import psycopg
import pytest

from queries.clinic import PLACES, dataset, person, store
from queries.questions import ANSWERED
from shoal.queries.ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

NAN, INF = float("nan"), float("inf")
PEOPLE = [
    person(
        number,
        sex=("F", "M", "X", None)[number % 4],
        age=(None, -3, 130, 17 + number)[number % 4] if number % 5 == 0 else 17 + number,
        income=(NAN, INF, -INF, None, 12.3456789, 99.5)[number % 6],
        town=("Ulm", "Bonn", "", "'; --", None)[number % 5],
        smokes=(True, False, None)[number % 3],
        born=(datetime.date(1, 1, 1), datetime.date(1994, 2, 28), None)[number % 3],
        weight=(NAN, 1e300, 61.0, None)[number % 4],
    )
    for number in range(60)
]
# Nobody has more rows or groups than declared: which of them would be cut off is each engine's own choice.
VISITS: list[dict[str, Any]] = [
    {
        "id": None if number % 17 == 0 else number // 3,
        "ward": (1, 2, 3, None)[(number // 3 + number % 2) % 4],
        "cost": (NAN, INF, -12.5, 7.125, 1e9, None)[number % 6],
        "reason": ("fall", "flu", None)[number % 3],
    }
    for number in range(120)
]


@pytest.fixture(scope="module")
def address(postgres: str) -> Iterator[str]:
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA two_engines")
        connection.execute("SET search_path TO two_engines")
        connection.execute(
            "CREATE TABLE people (id bigint PRIMARY KEY, sex text, age int, income double precision,"
            " town text, smokes boolean, born date, weight double precision)"
        )
        connection.execute("CREATE TABLE visits (id bigint, ward bigint, cost double precision, reason text)")
        connection.execute("CREATE TABLE wards (ward bigint, floor int, name text)")
        for name, rows in (("people", PEOPLE), ("visits", VISITS), ("wards", PLACES)):
            for row in rows:
                marks = ", ".join(["%s"] * len(row))
                connection.execute(
                    f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})", list(row.values())
                )
    yield postgres
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA two_engines CASCADE")


@pytest.fixture(scope="module")
def there(address: str) -> Iterator[PostgresStore]:
    made = PostgresStore(dataset(), address, schema="two_engines")
    yield made
    made.close()


@pytest.fixture(scope="module")
def here() -> DuckStore:
    return store(PEOPLE, VISITS, PLACES)


def sorted_rows(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return sorted(frame.rows(), key=repr)


@pytest.mark.parametrize("question", ANSWERED)
def test_both_engines_count_the_same(question: str, here: DuckStore, there: PostgresStore) -> None:
    ours, theirs = plan(question, dataset(), here), plan(question, dataset(), there)
    assert [part.reach for part in ours.primitives] == [part.reach for part in theirs.primitives]
    for one, other in zip(here.run(selects(ours)), there.run(selects(theirs)), strict=True):
        assert sorted_rows(one) == sorted_rows(other)


@pytest.mark.parametrize("accounting", ["approximate", "zcdp", "pld"])
def test_a_session_on_postgres_answers_every_kind_of_question(address: str, accounting: Any) -> None:
    of = dataset("10000", accounting=accounting)
    made = PostgresStore(of, address, schema="two_engines")
    live = Session(of, made, passing_ledger())
    live.grant("owner")
    for question in ANSWERED:
        answer = live.ask(question, Fraction(5))
        assert len(answer.columns) == len(set(answer.columns))
    made.close()
