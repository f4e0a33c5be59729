"""The same pairs on PostgreSQL, on Spark and over HTTP with the real service: fewer, as they take longer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import psycopg

from adversary import shops
from adversary.neighbours import Found, Round, Watched, ask_all, compared, opened, rounds
from adversary.outcomes import Outcome, told
from adversary.scene import FAR_DAYS, FAR_TEXTS, types_of_people
from adversary.shops import SCHEMAS, TYPES, linked_world
from adversary.worlds import WARDS, Person, Row, World, frames, wards, world
from queries.service.houses import FAST, Got, served
from queries.stores.in_spark import add, as_tables
from shoal.queries.service.service import Service
from shoal.queries.stores.postgres_store import PostgresStore
from shoal.queries.stores.spark_store import SparkStore

HEADERS = ("content-type", "cache-control", "retry-after")


def postgres_world(address: str, seed: str, found: Found, shapes: int, questions: int) -> None:
    """One world in PostgreSQL; the person comes and goes by DELETE and INSERT."""
    rng = random.Random(seed)
    made = world(rng, shapes)
    with _schema(address, seed, made) as (connection, schema):
        watched = Watched(PostgresStore(made.dataset, address, schema=schema))
        try:
            with opened(made, watched) as session:
                asks = rounds(rng, made, session, questions)
                for place, shape in enumerate(made.shapes):
                    for table in ("people", "visits"):
                        connection.execute(f"DELETE FROM {schema}.{table} WHERE id = %s", [made.target])
                    _insert(connection, schema, shape)
                    ask_all(session, watched, asks, f"analyst{place}", place)
        finally:
            watched.store.close()
    found.worlds += 1
    for ask in asks:
        compared(seed, made, ask, found)


def spark_world(spark: Any, folder: Path, seed: str, found: Found, shapes: int, questions: int) -> None:
    """One world in Spark; its tables are written anew for every shape of the person."""
    rng = random.Random(seed)
    made = world(rng, shapes)
    rows = [_rows_with(made, shape) for shape in made.shapes]
    names = as_tables(spark, folder, {**rows[0], "wards": wards()})
    watched = Watched(SparkStore(made.dataset, spark, names))
    database = names["people"].partition(".")[0]
    with opened(made, watched) as session:
        asks = rounds(rng, made, session, questions)
        for place, tables in enumerate(rows):
            for name, frame in tables.items():
                add(spark, folder, database, name, frame)
            ask_all(session, watched, asks, f"analyst{place}", place)
    found.worlds += 1
    for ask in asks:
        compared(seed, made, ask, found)


def _rows_with(made: World, shape: Person) -> dict[str, pl.DataFrame]:
    everybody = (*made.others, shape)
    return frames(
        [row for one in everybody for row in one.people], [row for one in everybody for row in one.visits]
    )


def postgres_shop(address: str, seed: str, found: Found, shapes: int, questions: int) -> None:
    """Tables that hang on others in PostgreSQL, written anew for every shape of the person."""
    rng = random.Random(seed)
    made = linked_world(rng, shapes)
    schema = f"shop_{random.Random(seed).randrange(10**12)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        watched = Watched(PostgresStore(made.dataset, address, schema=schema))
        try:
            for table, columns in {**SCHEMAS, "parts": {"part": pl.Int64, "label": pl.String}}.items():
                kinds = ", ".join(f'"{name}" {TYPES[kind]}' for name, kind in columns.items())
                connection.execute(f"CREATE TABLE {schema}.{table} ({kinds})")
            with opened(made, watched) as session:
                asks = rounds(rng, made, session, questions)
                for place, shape in enumerate(made.shapes):
                    for table, frame in shops.frames((*made.others, shape)).items():
                        connection.execute(f"TRUNCATE {schema}.{table}")
                        marks = ", ".join("%s" for _ in frame.columns)
                        with connection.cursor() as cursor:
                            cursor.executemany(f"INSERT INTO {schema}.{table} VALUES ({marks})", frame.rows())
                    ask_all(session, watched, asks, f"analyst{place}", place)
        finally:
            watched.store.close()
            connection.execute(f"DROP SCHEMA {schema} CASCADE")
    found.worlds += 1
    for ask in asks:
        compared(seed, made, ask, found)


@contextmanager
def _schema(address: str, seed: str, made: World) -> Iterator[tuple[psycopg.Connection, str]]:
    schema = f"neighbours_{random.Random(seed).randrange(10**12)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        kinds = ", ".join(f'"{name}" {kind}' for name, kind in types_of_people().items())
        connection.execute(f"CREATE TABLE {schema}.people (id text, {kinds})")
        connection.execute(
            f"CREATE TABLE {schema}.visits (id text, ward bigint, cost double precision, reason text)"
        )
        connection.execute(f"CREATE TABLE {schema}.wards (ward bigint, floor bigint, label text)")
        for line in WARDS:
            connection.execute(f"INSERT INTO {schema}.wards VALUES (%s, %s, %s)", line)
        for person in made.others:
            _insert(connection, schema, person)
        try:
            yield connection, schema
        finally:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


def _insert(connection: psycopg.Connection, schema: str, person: Person) -> None:
    for table, rows in (("people", person.people), ("visits", person.visits)):
        for row in rows:
            names = ", ".join(f'"{name}"' for name in row)
            marks = ", ".join("%s::text::date" if name == "day" else "%s" for name in row)
            connection.execute(f"INSERT INTO {schema}.{table} ({names}) VALUES ({marks})", _cells(row))


def _cells(row: Row) -> list[Any]:
    return [
        FAR_TEXTS[FAR_DAYS.index(cell)] if name == "day" and cell in FAR_DAYS else cell
        for name, cell in row.items()
    ]


def served_world(folder: Path, seed: str, found: Found, shapes: int, questions: int) -> None:
    """One world behind a real server: a data set for every shape, each with an analyst of the same budget."""
    rng = random.Random(seed)
    made = world(rng, shapes)
    service = Service(folder, settings=replace(FAST, first_bucket=0.01))
    try:
        tokens = []
        for place, shape in enumerate(made.shapes):
            rows = _rows_with(made, shape)
            service.register(replace(made.dataset, name=f"world{place}"), {**rows, "wards": wards()})
            each = made.dataset.each
            assert each is not None
            tokens.append(
                service.add(f"analyst{place}", "analyst", f"world{place}", each.epsilon, each.delta)
            )
        asks = rounds(rng, made, service._sessions["world0"], questions)
        with served(service) as address:
            for place, token in enumerate(tokens):
                for ask in asks:
                    body: dict[str, Any] = {
                        "dataset": f"world{place}",
                        "sql": ask.question.sql,
                        "epsilon": float(ask.epsilon),
                    }
                    if ask.delta is not None:
                        body["delta"] = float(ask.delta)
                    ask.outcomes.append(_heard(address.call("POST", "/query", token, body), ask))
    finally:
        service.close()
    found.worlds += 1
    for ask in asks:
        compared(seed, made, ask, found)


def _heard(got: Got, ask: Round) -> Outcome:
    """Status, headers and body as far as noise does not move them; a time bucket is a field of the body."""
    outer: dict[str, Any] = {"status": got.status} | {name: got.headers.get(name) for name in HEADERS}
    outer["headers"] = sorted(got.headers)
    if got.status != 200 or ask.plan is None:
        kind = {400: "NotAllowed", 402: "Spent", 409: "Spent", 403: "NotAllowed", 422: "NotAllowed"}
        return Outcome(
            {**outer, "raised": kind.get(got.status, f"status {got.status}"), "text": got.body.decode()}
        )
    return Outcome({**outer, **told(got.json, ask.plan)})
