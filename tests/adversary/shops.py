"""Small random shops, whose tables hang on others, with one person in many shapes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import polars as pl

from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Link, Table, hang

Row = dict[str, Any]
Rows = Mapping[str, Sequence[Row]]
TABLES = ("people", "orders", "lines", "bits")
PARTS = ((1, "nut"), (2, "bolt"), (2, "rod"), (None, "x"))
SCHEMAS: dict[str, dict[str, Any]] = {
    "people": {"id": pl.String, "age": pl.Int64, "town": pl.String},
    "orders": {"id": pl.String, "o_id": pl.Int64, "size": pl.Int64, "price": pl.Float64, "open": pl.Boolean},
    "lines": {"l_order": pl.Int64, "l_id": pl.String, "quantity": pl.Int64, "worth": pl.Float64,
              "part": pl.Int64},
    "bits": {"b_line": pl.String, "weight": pl.Float64, "tag": pl.Boolean, "word": pl.String},
}  # fmt: skip
TYPES = {pl.String: "text", pl.Int64: "bigint", pl.Float64: "double precision", pl.Boolean: "boolean"}


@dataclass(frozen=True)
class Linked:
    """A data set, everybody in it but one, and this one in many shapes; the first is not there."""

    dataset: Dataset
    others: tuple[Rows, ...]
    target: str
    shapes: tuple[Rows, ...]


def declaration(rng: random.Random) -> Dataset:
    people = Table(
        "people", (Column("id"), Column("age", "integer", 0, 99), Column("town", keys=("Ulm", "Bonn"))), "id"
    )
    orders = Table(
        "orders",
        (Column("id"), Column("o_id", "integer"), Column("size", "integer", -2, 6),
         Column("price", "number", -1.5, 9), Column("open", "boolean")),
        "id", rng.randint(1, 4), rng.choice((None, None, 1)),
    )  # fmt: skip
    columns = (Column("l_order", "integer"), Column("l_id"), Column("quantity", "integer", -3, 10),
               Column("worth", "number", 0.1, 0.9), Column("part", "integer"))  # fmt: skip
    groups, in_group = rng.choice((None, None, 1, 2)), rng.choice((None, None, 1, 2))
    lines = hang(Table("lines", columns, groups=groups, rows_per_group=in_group), orders,
                 Link("l_order", "orders", "o_id", rng.randint(1, 3)), rng.choice((None, 2, 5)))  # fmt: skip
    smaller = (Column("b_line"), Column("weight", "number", -4, 4), Column("tag", "boolean"), Column("word"))
    bits = hang(
        Table("bits", smaller),
        lines,
        Link("b_line", "lines", "l_id", rng.randint(1, 2)),
        rng.choice((None, 3)),
    )
    parts = Table("parts", (Column("part", "integer"), Column("label")))
    accounting: Accounting = rng.choice(("approximate", "approximate", "zcdp", "pure", "pld", "pld-listed"))
    delta = Fraction(0) if accounting == "pure" else Fraction(1, 2)
    budget = Budget(Fraction(10**5), delta)
    each = Budget(Fraction(2_000), delta / 2)
    return Dataset("shop", (people, orders, lines, bits, parts), budget, accounting=accounting, each=each)


def _person(rng: random.Random, name: str, first: int, shared: Sequence[int]) -> Rows:
    """Somebody, whose numbers of orders are their own or, seldom, also somebody else's."""
    keys: list[int | None] = [first + number for number in range(rng.choice((0, 1, 2, 5)))]
    orders = [
        {"id": name, "o_id": rng.choice((*keys, *keys, *shared[:2], None)), "size": rng.randint(-4, 8),
         "price": rng.choice((-1.5, 9.0, 0.0, None, rng.uniform(-3, 12))),
         "open": rng.choice((True, False, None))}
        for _ in range(rng.choice((0, 1, 2, 5)))
    ]  # fmt: skip
    lines = [
        {"l_order": rng.choice((*keys, None)), "l_id": rng.choice((f"{name}-{rng.randint(1, 4)}", None)),
         "quantity": rng.randint(-5, 12),
         "worth": rng.choice((0.1, 0.9, 0.5, None, float("nan"), rng.random())),
         "part": rng.choice((1, 2, 3, None))}
        for _ in range(rng.choice((0, 1, 3, 12)))
    ]  # fmt: skip
    bits = [
        {"b_line": f"{name}-{rng.randint(1, 4)}", "weight": rng.choice((-4.0, 4.0, None, rng.uniform(-6, 6))),
         "tag": rng.choice((True, False, None)), "word": rng.choice(("a", "b", "", None))}
        for _ in range(rng.choice((0, 1, 3, 12)))
    ]  # fmt: skip
    town = {"id": name, "age": rng.randint(-3, 120), "town": rng.choice(("Ulm", "Bonn", "Jena", None))}
    return {"people": [town] * rng.choice((0, 1, 1, 1)), "orders": orders, "lines": lines, "bits": bits}


def _crowded(rng: random.Random, name: str) -> Rows:
    """Somebody with more of everything than is kept, much of it alike: the farthest that one can reach."""
    keys = range(900, 900 + rng.choice((1, 2, 4)))
    names = [f"{name}-{number}" for number in range(rng.choice((1, 2, 6)))]
    size, quantity, part = rng.choice((-2, 6, 1, None)), rng.choice((-3, 10, 1, None)), rng.choice((1, 2))
    orders = [
        {"id": name, "o_id": keys[number % len(keys)], "size": rng.choice((size, size, rng.randint(-2, 6))),
         "price": rng.choice((-1.5, 9.0)), "open": rng.choice((True, False))}
        for number in range(6)
    ]  # fmt: skip
    lines = [
        {"l_order": rng.choice(keys), "l_id": rng.choice(names), "worth": rng.choice((0.1, 0.9)),
         "quantity": rng.choice((quantity, quantity, rng.randint(-3, 10))), "part": part}
        for _ in range(16)
    ]  # fmt: skip
    bits = [
        {"b_line": rng.choice(names), "weight": rng.choice((-4.0, 4.0)), "tag": rng.choice((True, False)),
         "word": rng.choice("ab")}
        for _ in range(16)
    ]  # fmt: skip
    return {
        "people": [{"id": name, "age": 99, "town": "Ulm"}], "orders": orders, "lines": lines, "bits": bits
    }  # fmt: skip


def linked_world(rng: random.Random, shapes: int) -> Linked:
    """A shop of 1 to 11 people besides the one who changes."""
    others = tuple(
        _person(rng, f"P{number}", 10 * number, (20, 10)) for number in range(1, rng.choice((2, 3, 6, 12)))
    )
    absent: Rows = {table: [] for table in TABLES}
    found = [absent]
    while len(found) < shapes:
        found.append(_crowded(rng, "P0") if len(found) % 2 else _person(rng, "P0", 900, (10, 11)))
    return Linked(declaration(rng), others, "P0", tuple(found))


def frames(everybody: Sequence[Rows]) -> dict[str, pl.DataFrame]:
    """Rows as a store is given them; parents come before what hangs on them."""
    found = {
        name: pl.DataFrame(
            [row for person in everybody for row in person[name]], schema=SCHEMAS[name], orient="row"
        )
        for name in TABLES
    }
    return found | {
        "parts": pl.DataFrame(list(PARTS), schema={"part": pl.Int64, "label": pl.String}, orient="row")
    }
