"""Whose a row is must be told apart as the data tell it: two people who pass for one push out each other's
rows, so that one of them moves twice what noise is made for, and one who passes for two reaches twice as far.
"""

from __future__ import annotations

import datetime
import math
from fractions import Fraction
from typing import Any

import polars as pl
import psycopg
import pytest

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Kind, Table
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore
from shoal.queries.stores.store import Store

BOUND = 100
MONDAY = datetime.datetime(2024, 1, 1, 8)


def _declared(kind: Kind, rows: int = 1) -> Dataset:
    columns = Column("pid", kind), Column("x", "integer", -BOUND, BOUND)
    return Dataset("clinic", (Table("visits", columns, "pid", rows),), Budget(Fraction(10)))


def _sum(store: Store, dataset: Dataset) -> int:
    """What is summed before the noise."""
    (query,) = plan_question("SELECT SUM(x) FROM visits", dataset, store).leaves
    found = store.run(selects(query))[0].item()
    return 0 if found is None else int(found)


def _in_duckdb(kind: Kind, units: list[Any], values: list[int], rows: int = 1) -> int:
    dataset = _declared(kind, rows)
    store = DuckStore(dataset, threads=1)
    try:
        store.load("visits", pl.DataFrame({"pid": units, "x": values}))
        return _sum(store, dataset)
    finally:
        store.close()


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("integer", "7", "7.3"),
        ("integer", 7.0, 6.8),
        ("integer", "9007199254740992", "9007199254740993.0"),
        ("text", MONDAY, MONDAY.replace(hour=9)),
    ],
)
@pytest.mark.parametrize("value", [-BOUND, BOUND])
def test_somebody_who_comes_moves_a_sum_by_one_persons_rows(
    kind: Kind, one: Any, other: Any, value: int
) -> None:
    """They counted as one: whose row was kept hung on a hash, and a sum of ±100 moved by 200."""
    before = _in_duckdb(kind, [one], [-value])
    after = _in_duckdb(kind, [one, other], [-value, value])
    assert abs(after - before) <= BOUND and before == -value
    assert after - before in (0, value), "somebody else's row went out for it"


def test_people_without_a_number_are_not_one_person() -> None:
    """NaN, as frames have it where a number is missing, was the text 'nan': one person with many rows."""
    assert _in_duckdb("text", [math.nan, math.nan, 1.0], [5, 5, 1], rows=3) == 1


@pytest.mark.slow
def test_one_number_is_one_person_in_postgres_however_it_is_written(postgres: str) -> None:
    """1, 1.0 and 1.00 are equal there, also to a foreign key; each had a person's rows of its own."""
    dataset = _declared("text")
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA written")
        connection.execute("CREATE TABLE written.visits (pid numeric, x bigint)")
        connection.execute("INSERT INTO written.visits VALUES (1, 100), (1.0, 100), (1.00, 100), (100, 7)")
        store = PostgresStore(dataset, postgres, schema="written")
        try:
            assert _sum(store, dataset) == BOUND + 7
        finally:
            store.close()
            connection.execute("DROP SCHEMA written CASCADE")
