"""What every store promises."""

from __future__ import annotations

from queries.stores.odd import dataset
from shoal.engines import postgres_connection
from shoal.queries.stores import store
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore
from shoal.queries.stores.store import Store


def test_both_stores_keep_the_same_promise(postgres: str) -> None:
    stores: list[Store] = [DuckStore(dataset(())), PostgresStore(dataset(()), postgres)]
    assert [one.dialect for one in stores] == ["duckdb", "postgres"]
    assert all(isinstance(one.version, int) for one in stores)


def test_a_failure_has_one_text_in_every_engine() -> None:
    assert store.FAILED == postgres_connection.FAILED
