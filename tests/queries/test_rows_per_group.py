"""A limit of rows per group: less noise where squares add up, and nobody counts for more than it allows."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.answering.budget_split import divide
from shoal.queries.answering.noise import noises_of
from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Table
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.query import Query
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

Row = tuple[int, int, float, str]
MONTHS = tuple(range(1, 13))
VISITS = Table(
    "visits",
    (
        Column("id", "integer"),
        Column("month", "integer", keys=MONTHS),
        Column("cost", "number", 0, 100),
        Column("place"),
    ),
    unit="id",
    rows=10,
    rows_per_group=1,
)


def dataset(accounting: Accounting = "zcdp", **limits: Any) -> Dataset:
    return Dataset(
        "d", (replace(VISITS, **limits),), Budget(Fraction(10), Fraction(1, 10**6)), accounting=accounting
    )


def asked(store: DuckStore, query: Query, rows: list[Row]) -> pl.DataFrame:
    store.load("visits", pl.DataFrame(rows, ["id", "month", "cost", "place"], orient="row"))
    return store.run(selects(query))[0]


def made(question: str, of: Dataset, rows: list[Row]) -> tuple[Query, pl.DataFrame]:
    store = DuckStore(of)
    query = plan(question, of, store)
    return query, asked(store, query, rows)


def test_ten_groups_of_one_row_have_a_third_of_the_noise() -> None:
    sigmas = []
    for each in (None, 1):
        of = dataset(rows_per_group=each)
        query = plan("SELECT month, COUNT(*) FROM visits GROUP BY month", of, DuckStore(of))
        (shares,) = divide("zcdp", Fraction(1), Fraction(0), [query])
        (noise,) = noises_of(query, shares)
        assert isinstance(noise, Gaussian)
        sigmas.append(float(noise.variance) ** 0.5)
    assert sigmas == pytest.approx([10, 10**0.5], rel=1e-6)


@pytest.mark.parametrize(("each", "groups"), [(1, None), (2, 3), (4, 1)])
@pytest.mark.parametrize(
    "what", ["COUNT(*)", "SUM(cost)", "COUNT(*), AVG(cost)", "VAR_POP(cost)", "COUNT(DISTINCT place)"]
)
def test_no_person_moves_the_numbers_further_than_the_noise_is_made_for(
    each: int, groups: int | None, what: str
) -> None:
    of = dataset(rows_per_group=each, groups=groups)
    chance = random.Random(f"{each} {groups} {what}")
    others = [(1, month, 50.0, "x") for month in (1, 2, 3)]
    worst = 0.0
    store = DuckStore(of)
    query = plan(f"SELECT month, {what} FROM visits GROUP BY month", of, store)
    without = asked(store, query, others)
    for number in range(10):
        many = 10 if number % 3 else chance.randint(1, 10)
        busy = chance.choice((MONTHS, MONTHS[:2], MONTHS[:1]))
        theirs = [
            (2, chance.choice(busy), chance.choice((0.0, 100.0, 37.0)), f"p{place}") for place in range(many)
        ]
        beside = asked(store, query, [*others, *theirs])
        parts: dict[int, list[float]] = {}
        reach: dict[int, tuple[int, int]] = {}
        for primitive in query.primitives:
            for moved in _moved(primitive.terms, without, beside):
                parts.setdefault(primitive.part, []).append(moved)
            reach[primitive.part] = primitive.reach, primitive.squared or primitive.reach**2
        for part, moves in parts.items():
            assert sum(map(abs, moves)) <= reach[part][0]
            assert sum(move**2 for move in moves) <= reach[part][1]
            worst = max(worst, sum(move**2 for move in moves) / reach[part][1])
    assert worst > 0.4  # the noise is not made for more than there can be


def _moved(terms: Any, without: pl.DataFrame, beside: pl.DataFrame) -> list[float]:
    def numbers(frame: pl.DataFrame) -> dict[Any, int]:
        return {
            row["k0"]: sum((row[f"x{column}"] or 0) * weight for column, weight in terms)
            for row in frame.iter_rows(named=True)
        }

    one, other = numbers(without), numbers(beside)
    return [float(other.get(key, 0) - one.get(key, 0)) for key in {*one, *other}]


def test_without_groups_nothing_is_left_out() -> None:
    rows = [(1, 1, 5.0, "x")] * 4
    query, frame = made("SELECT COUNT(*) FROM visits", dataset(), rows)
    assert frame["x0"].item() == 4 and query.primitives[0].reach == 10
    query, frame = made("SELECT month, COUNT(*) FROM visits GROUP BY month", dataset(), rows)
    assert frame["x0"].to_list() == [1]


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(BadParameter, match="at least 1"):
        dataset(rows_per_group=0)
