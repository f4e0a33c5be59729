"""A hospital with a secret per patient, served over HTTP from either engine, for those who want it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import psycopg

from queries.service.houses import Address, Got, served
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.service.service import OwnStore, Service
from shoal.queries.service.settings import Settings
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

NAME = "hospital"
PATIENTS = 60
PATIENT = Table(
    "patients",
    (Column("pid"), Column("hiv", keys=("yes", "no")), Column("age", "integer", 0, 120), Column("note")),
    unit="pid",
)
VISITS = Table("visits", (Column("pid"), Column("ward", "integer")), unit="pid", rows=5)
CODES = Table("codes", (Column("code"), Column("chapter")))


def pid(number: int) -> str:
    return f"P{number:06}"


def frames(alike: int = 50) -> dict[str, pl.DataFrame]:
    """The rows; in the public table so many are alike."""
    patients = pl.DataFrame({
        "pid": [pid(number) for number in range(PATIENTS)],
        "hiv": ["yes" if number % 7 == 3 else "no" for number in range(PATIENTS)],
        "age": [20 + number for number in range(PATIENTS)],
        "note": ["n" * 900 for _ in range(PATIENTS)],
    })  # fmt: skip
    stays = [(pid(number), ward) for number in range(PATIENTS) for ward in range(number % 6)]
    visits = pl.DataFrame(stays, schema=["pid", "ward"], orient="row")
    codes = pl.DataFrame({"code": ["a"] * alike + ["b"], "chapter": ["x"] * (alike + 1)})
    return {"patients": patients, "visits": visits, "codes": codes}


@dataclass(frozen=True)
class Hospital:
    """A service that listens, an analyst's token, and the owner's log."""

    at: Address
    service: Service
    ada: str

    def ask(self, sql: str, epsilon: str = "0.000001") -> Got:
        return self.at.ask(self.ada, sql, epsilon, NAME)

    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.service.audit.path.read_text().splitlines()]


def dataset() -> Dataset:
    return Dataset(NAME, (PATIENT, VISITS, CODES), Budget(Fraction(10)))


def in_postgres(address: str, rows: dict[str, pl.DataFrame]) -> PostgresStore:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS adversary CASCADE")
        connection.execute("CREATE SCHEMA adversary")
        connection.execute("SET search_path TO adversary")
        connection.execute("CREATE TABLE patients (pid text PRIMARY KEY, hiv text, age int, note text)")
        connection.execute("CREATE TABLE visits (pid text, ward int)")
        connection.execute("CREATE TABLE codes (code text, chapter text)")
        for name, frame in rows.items():
            with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
                for row in frame.iter_rows():
                    copy.write_row(row)
    return PostgresStore(dataset(), address, schema="adversary")


@contextmanager
def open_hospital(
    folder: Path, postgres: str | None = None, settings: Settings | None = None, alike: int = 50
) -> Iterator[Hospital]:
    """The hospital on PostgreSQL when there is an address, else on DuckDB with little memory."""
    rows = frames(alike)
    store: OwnStore
    if postgres is not None:
        store = in_postgres(postgres, rows)
    else:
        store = DuckStore(dataset(), memory="100MB", threads=1)
        for name, frame in rows.items():
            store.load(name, frame)
    fast = settings or Settings(rate=10_000, burst=10_000, first_bucket=0.001, least_epsilon=0, blur=0)
    service = Service(folder, None, fast)
    try:
        service.register(dataset(), store=store)
        ada = service.add("ada", "analyst", NAME, Fraction(5))
        with served(service) as at:
            yield Hospital(at, service, ada)
    finally:
        service.close()


def outside(got: Got) -> tuple[Any, ...]:
    """All that can be seen of an answer but the noisy numbers."""
    told = got.json
    if got.status != 200:
        return got.status, told
    kinds = [[type(cell).__name__ for cell in row] for row in told["rows"]]
    return got.status, told["columns"], kinds, told["spent"], told["notes"], told["archived"], sorted(told)


def together(*calls: Any) -> list[Any]:
    """The results of several calls that run at the same time."""
    found: list[Any] = [None] * len(calls)

    def call(place: int) -> None:
        found[place] = calls[place]()

    threads = [threading.Thread(target=call, args=(place,), daemon=True) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found
