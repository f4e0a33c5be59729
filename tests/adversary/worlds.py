"""Small random data sets with one person in many shapes: databases that differ in this person alone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import polars as pl

from adversary.scene import KEYS, frame_of, given
from adversary.shops import TABLES, Linked
from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Table

Row = dict[str, Any]
WARDS = ((1, 0, "north"), (2, 1, "south"), (2, 2, "attic"), (2**62, 9, ""), (None, 3, "x"))
REASONS = ("fall", "flu", "", "x" * 10_000, "İ", None)
COSTS = (0.0, -50.0, 200.0, 7.125, 5e-324, 1e308, float("nan"), float("inf"), float("-inf"), None)
SMALL = 10.0  # of an analyst who cannot ask everything


def declaration(rng: random.Random) -> Dataset:
    """Tables about people with their bounds, keys and shares drawn by chance."""
    rows, often = rng.choice((1, 1, 2)), rng.randint(1, 5)
    high = rng.choice((1e6, 1000.0, 1.0))
    people = (
        Column("id"), Column("row", "integer"),
        Column("age", "integer", 0, rng.choice((120, 9, 2.0**31)), never_null=rng.random() < 0.3),
        Column("delta", "integer", -7, 5, never_null=rng.random() < 0.3),
        Column("far", "integer", -(2.0**52), 2.0**52),
        Column("level", "integer", keys=(1, 2, 50), missing=rng.random() < 0.5),
        Column("big", "integer"),
        Column("score", "number", rng.choice((-5.0, -1e-3)), 5.0),
        Column("price", "number", rng.choice((0.0, -high)), high, never_null=rng.random() < 0.3),
        Column("wee", "number", 0.0, 1e-3),
        Column("tiny", "number", -1e-200, 1e-200),
        Column("huge", "number", 0.0, 4e15),
        Column("raw", "number"), Column("written", "number"), Column("name"),
        Column("colour", keys=KEYS[: rng.randint(1, 5)]),
        Column("flag", "boolean"), Column("truth", "boolean"), Column("day", "date"), Column("other", "date"),
        Column("spring", "date", 18322, 18413), Column("moment", "timestamp"), Column("stamp", "timestamp"),
        Column("shift", "timestamp", 18322, 18322 + rng.choice((0, 30, 4_000)) + 1),
    )  # fmt: skip
    visits = (
        Column("id"), Column("ward", "integer", keys=(1, 2, 2**62) if rng.random() < 0.5 else None),
        Column("cost", "number", -50, rng.choice((200, 1e12))), Column("reason"),
    )  # fmt: skip
    wards = Column("ward", "integer"), Column("floor", "integer", 0, 9), Column("label")
    accounting: Accounting = rng.choice(
        ("approximate", "approximate", "zcdp", "pld", "pure", "zcdp-listed", "pld-listed")
    )
    delta = Fraction(0) if accounting == "pure" else Fraction(1, 2)
    return Dataset(
        "world",
        (
            Table("people", people, "id", rows, rng.choice((None, 1)), rows_per_group=rng.choice((None, 1))),
            Table(
                "visits",
                visits,
                "id",
                often,
                rng.choice((None, rng.randint(1, often))),
                rows_per_group=rng.choice((None, 1, rng.randint(1, often))),
            ),
            Table("wards", wards),
        ),
        Budget(Fraction(10**5), delta),
        accounting=accounting,
        each=Budget(Fraction(SMALL) if rng.random() < 0.1 else Fraction(2_000), delta / 2),
    )


@dataclass(frozen=True)
class Person:
    """All rows of one person, by table."""

    people: tuple[Row, ...]
    visits: tuple[Row, ...]

    @property
    def empty(self) -> bool:
        return not self.people and not self.visits


@dataclass(frozen=True)
class World:
    """A data set, everybody in it but one, and this one in many shapes; the first is not there."""

    dataset: Dataset
    others: tuple[Person, ...]
    target: str
    shapes: tuple[Person, ...]


def _person(rng: random.Random, name: str, people: int, visits: int, number: int) -> Person:
    """Somebody; odd values are as frequent as in the table of odd rows."""
    lines = given(rng, 70) if people else []
    for line in lines:
        if rng.random() < 0.6:
            line.update(
                age=str(rng.randint(-3, 130)),
                price=str(round(rng.uniform(-5, 1200), 3)),
                score=rng.uniform(-6, 6),
            )
            line.update(
                name=rng.choice(("Ulm", "Bonn", "", "x")),
                colour=rng.choice(KEYS),
                level=rng.choice((1, 2, 50)),
            )
    chosen = [{"id": name, **line, "row": number} for line in lines[:people]]
    stays = [
        {"id": name, "ward": rng.choice((1, 2, 3, 2**62, None)),
         "cost": rng.choice(COSTS) if rng.random() < 0.5 else rng.uniform(-60, 300),
         "reason": rng.choice(REASONS)}
        for _ in range(visits)
    ]  # fmt: skip
    return Person(tuple(chosen), tuple(stays))


def world(rng: random.Random, shapes: int) -> World:
    """A data set of 1 to 39 people besides the one who changes."""
    dataset = declaration(rng)
    most = dataset.table("visits").rows
    others = tuple(
        _person(rng, f"P{number}", rng.choice((1, 1, 1, 0, 2)), rng.randint(0, most + 1), number)
        for number in range(1, rng.choice((2, 3, 6, 12, 40)))
    )
    found = [Person((), ())]
    while len(found) < shapes:
        twice = rng.random() < 0.15
        rows = (rng.choice((1, 1, 1, 2, 10)), rng.choice((0, 1, most, most + 1, 12)))
        new = _person(rng, "P0", *rows, 0)
        found.append(Person(new.people * 2, new.visits * 2) if twice else new)
    return World(dataset, others, "P0", tuple(found))


def frames(people: Sequence[Row], visits: Sequence[Row]) -> dict[str, pl.DataFrame]:
    """Rows as a store is given them."""
    kinds = {"id": pl.String, "ward": pl.Int64, "cost": pl.Float64, "reason": pl.String}
    return {"people": frame_of(people), "visits": pl.DataFrame(list(visits), schema=kinds, orient="row")}


def wards() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "ward": [ward[0] for ward in WARDS],
            "floor": [ward[1] for ward in WARDS],
            "label": [ward[2] for ward in WARDS],
        },
        schema={"ward": pl.Int64, "floor": pl.Int64, "label": pl.String},
    )


def pasted(world: World | Linked, shape: int, other: int) -> str:
    """The declaration and both databases, to be pasted into a test."""
    lines = ["import datetime", "nan, inf = float('nan'), float('inf')", f"dataset = {world.dataset!r}"]
    for name, number in (("one", shape), ("two", other)):
        everybody = (*world.others, world.shapes[number])
        for table in TABLES if isinstance(world, Linked) else ("people", "visits"):
            rows = [
                row
                for one in everybody
                for row in (one[table] if isinstance(one, Mapping) else getattr(one, table))
            ]
            lines.append(f"{table}_{name} = {rows!r}")
    return "\n".join(lines)
