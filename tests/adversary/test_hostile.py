"""Every question that was ever hostile, to neighbours on both engines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import polars as pl
import psycopg
import pytest

from adversary.hostile import HOSTILE, hostile_dataset, rows
from adversary.neighbours import Watched
from adversary.outcomes import Outcome, asked, exact_leaves, moved_leaves
from shoal.queries.ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

SHAPES: tuple[dict[str, Any], ...] = (
    {"hiv": "no"}, {"hiv": "yes"}, {"hiv": None, "raw": 5e-324}, {"hiv": "yes", "raw": -1e-308, "visits": 5},
    {"hiv": "yes", "raw": 1e308, "visits": 50}, {"hiv": "no", "raw": float("nan"), "visits": 0},
)  # fmt: skip
_TYPES = {pl.String: "text", pl.Int64: "bigint", pl.Float64: "double precision"}


def _duck(frames: dict[str, pl.DataFrame], _: str) -> DuckStore:
    store = DuckStore(hostile_dataset(), threads=1)
    for name, frame in frames.items():
        store.load(name, frame)
    return store


def _postgres(frames: dict[str, pl.DataFrame], address: str) -> PostgresStore:
    schema = f"hostile_{random.SystemRandom().randrange(10**12)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        for name, frame in frames.items():
            kinds = ", ".join(f"{column} {_TYPES[type(kind)]}" for column, kind in frame.schema.items())
            connection.execute(f"CREATE TABLE {schema}.{name} ({kinds})")
            marks = ", ".join(["%s"] * frame.width)
            for row in frame.rows():
                connection.execute(f"INSERT INTO {schema}.{name} VALUES ({marks})", row)
    return PostgresStore(hostile_dataset(), address, schema=schema)


@pytest.fixture(scope="module", params=[_duck, _postgres], ids=["duckdb", "postgres"])
def stores(request: pytest.FixtureRequest, postgres: str) -> Iterator[list[Watched]]:
    make: Callable[[dict[str, pl.DataFrame], str], Any] = request.param
    made = [Watched(make(rows(**shape), postgres)) for shape in SHAPES]
    yield made
    for watched in made:
        watched.store.close()


@pytest.mark.parametrize("sql", HOSTILE)
def test_neighbours_look_the_same(sql: str, stores: list[Watched]) -> None:
    outcomes: list[Outcome] = []
    counted = []
    planned = None
    for watched in stores:
        session = Session(hostile_dataset(), watched, passing_ledger())
        session.grant("mallory")
        try:
            planned = plan_question(sql, hostile_dataset(), watched)
        except Exception:
            planned = None
        delta = Fraction(1, 10**9) if planned is not None and planned.discovered else None
        watched.given, watched.failed = [], None
        outcomes.append(asked(session, sql, planned, Fraction(1, 10**6), delta, "mallory"))
        assert watched.failed is None
        if planned is not None and "raised" not in outcomes[-1].told:
            counted.append(exact_leaves(planned, watched.given[-1]))
    assert outcomes[0].told.get("raised") in (None, "NotAllowed"), outcomes[0].told
    for outcome in outcomes[1:]:
        assert outcomes[0].difference(outcome) is None
    for other in counted[1:]:
        assert planned is not None
        # Others in the place of this person: as if one went and another came.
        assert moved_leaves(planned, counted[0], other, times=2) is None
