"""A small made-up clinic for tests of questions: people, their visits, and a public table of wards."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

import polars as pl

from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Policy, Table
from shoal.queries.stores.duckdb_store import DuckStore

PEOPLE = Table(
    "people",
    (
        Column("id", "integer"),
        Column("sex", keys=("F", "M")),
        Column("age", "integer", 0, 120),
        Column("income", "number", 0, 1000),
        Column("town"),
        Column("smokes", "boolean"),
        Column("born", "date"),
        Column("weight", "number"),
    ),
    unit="id",
)
VISITS = Table(
    "visits",
    (
        Column("id", "integer"),
        Column("ward", "integer"),
        Column("cost", "number", -50, 200),
        Column("reason"),
    ),
    unit="id",
    rows=3,
    groups=2,
)
WARDS = Table("wards", (Column("ward", "integer"), Column("floor", "integer", 0, 9), Column("name")))


def dataset(
    epsilon: str = "100",
    delta: str = "1e-3",
    accounting: Accounting = "approximate",
    policy: Policy = "refuse",
) -> Dataset:
    return Dataset(
        "clinic",
        (PEOPLE, VISITS, WARDS),
        Budget(Fraction(epsilon), Fraction(delta) if accounting != "pure" else Fraction(0)),
        policy=policy,
        accounting=accounting,
    )


def person(number: int, **values: Any) -> dict[str, Any]:
    plain = {"sex": "F", "age": 40, "income": 100.0, "town": "Ulm", "smokes": False, "weight": 70.0}
    return {"id": number, **plain, "born": datetime.date(1980, 5, 17), **values}


def people(rows: list[dict[str, Any]]) -> pl.DataFrame:
    kinds = {"id": pl.Int64, "sex": pl.String, "age": pl.Int64, "income": pl.Float64, "town": pl.String}
    return pl.DataFrame(
        rows, schema={**kinds, "smokes": pl.Boolean, "born": pl.Date, "weight": pl.Float64}, orient="row"
    )


def visits(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(
        rows, schema={"id": pl.Int64, "ward": pl.Int64, "cost": pl.Float64, "reason": pl.String}, orient="row"
    )


def wards(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"ward": pl.Int64, "floor": pl.Int64, "name": pl.String}, orient="row")


def store(
    patients: list[dict[str, Any]],
    stays: list[dict[str, Any]],
    places: list[dict[str, Any]],
    of: Dataset | None = None,
) -> DuckStore:
    """A store with these rows."""
    made = DuckStore(of or dataset())
    made.load("people", people(patients))
    made.load("visits", visits(stays))
    made.load("wards", wards(places))
    return made


PLACES = [
    {"ward": 1, "floor": 0, "name": "north"},
    {"ward": 2, "floor": 1, "name": "south"},
    {"ward": 2, "floor": 2, "name": "attic"},
]


def usual(of: Dataset | None = None) -> DuckStore:
    """Forty people, sixty visits."""
    patients = [
        person(
            number,
            sex="FM"[number % 2],
            age=20 + number,
            income=10.0 * number,
            town=("Ulm", "Bonn")[number % 3 == 0],
            smokes=number % 4 == 0,
        )
        for number in range(40)
    ]
    stays = [
        {"id": number % 40, "ward": 1 + number % 2, "cost": float(number), "reason": "checkup"}
        for number in range(60)
    ]
    return store(patients, stays, PLACES, of)
