"""Every test that asks for a `place` runs with an SQLite file and with a PostgreSQL database."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from queries.ledger.books import fresh_database, opened
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.postgres_ledger import SCHEMA


@pytest.fixture(scope="session")
def ledger_database(postgres: str) -> str:
    return fresh_database(postgres)  # one for all: making it copies 7 MB


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "ledger.sqlite")
    address: str = request.getfixturevalue("ledger_database")
    with psycopg.connect(address, autocommit=True) as server:
        server.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE".encode())
    return address


@pytest.fixture
def ledger(place: str) -> Iterator[Ledger]:
    with opened(place) as made:
        yield made
