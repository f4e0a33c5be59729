"""Unsorted matching: releases whose rows kept their order."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.unsorted_matching.unsorted_matching import UnsortedMatching
from shoal.tables.table import Table

CHANCE = np.random.default_rng(5)
PEOPLE = pl.DataFrame(
    {
        "zip": CHANCE.choice(["47677", "47602", "47905", "47909"], 40),
        "age": CHANCE.choice([str(age) for age in range(20, 60, 4)], 40),
        "ill": CHANCE.choice(["flu", "cold", "gout"], 40),
    }
)


def table(frame: pl.DataFrame) -> Table:
    return Table(frame, quasi=("zip", "age"), sensitive=("ill",))


ONE = table(PEOPLE.with_columns(zip=pl.lit("47***")))
TWO = table(PEOPLE.with_columns(age=pl.col("age").str.slice(0, 1) + "*"))


def test_whoever_stands_alone_only_in_the_combination_is_hit() -> None:
    found = UnsortedMatching().attack(Scene(ONE, others=(TWO,), original=PEOPLE, shown=0))
    sizes = PEOPLE.select(
        both=pl.len().over("zip", "age"),
        one=pl.len().over("age"),
        two=pl.len().over("zip", pl.col("age").str.slice(0, 1)),
    )
    expected = sizes.with_row_index().filter(
        (pl.col("both") == 1) & (pl.col("one") > 1) & (pl.col("two") > 1)
    )
    assert expected.height and found.rate.hits == expected.height and found.rate.targets == 40
    rows = [row + 1 for row in expected["index"].to_list()]
    assert [told["who"]["row"] for told in found.findings] == rows  # type: ignore[index, call-overload]
    first = PEOPLE.row(rows[0] - 1, named=True)
    assert found.findings[0]["learned"] == {"zip": first["zip"], "ill": first["ill"]}
    assert found.details["same_order"] is True and found.details["rows_of_the_original_restored"] == 40
    json.dumps(found.to_json(), allow_nan=False)


def test_shuffling_stops_it() -> None:
    scene = Scene(ONE, others=(TWO,))
    found = with_cure_checked(UnsortedMatching().attack(scene), UnsortedMatching(), scene)
    assert found.rate.hits and found.cured is not None
    assert found.cured.rate.hits == 0 and "shuffled" in found.cured.how
    assert "as Shoal always does" in found.cure


def test_a_release_in_another_order_is_left_aside() -> None:
    shuffled = table(TWO.frame.sample(fraction=1, shuffle=True, seed=2))
    found = UnsortedMatching().attack(Scene(ONE, others=(shuffled, table(TWO.frame.head(7)))))
    assert found.rate.hits == 0 and found.details["same_order"] is False and not found.findings
    orders = found.details["order"]
    assert isinstance(orders, list) and [order["same"] for order in orders] == [False, False]
    with_one = UnsortedMatching().attack(Scene(ONE, others=(shuffled, TWO)))
    assert with_one.rate == UnsortedMatching().attack(Scene(ONE, others=(TWO,))).rate


def test_columns_that_only_the_other_release_has_are_learned() -> None:
    other = Table(PEOPLE.select("age", "zip").with_columns(job=pl.lit("cook")), quasi=("zip",))
    found = UnsortedMatching().attack(Scene(ONE, others=(other,)))
    assert found.rate.hits and found.findings[0]["learned"]["job"] == "cook"  # type: ignore[index, call-overload]


def test_an_original_without_the_columns_restores_nothing() -> None:
    found = UnsortedMatching().attack(Scene(ONE, others=(TWO,), original=PEOPLE.select(other="zip")))
    assert found.details["rows_of_the_original_restored"] == 0


@pytest.mark.parametrize("rows", [1, 2])
def test_a_few_rows_prove_nothing(rows: int) -> None:
    scene = Scene(table(ONE.frame.head(rows)), others=(table(TWO.frame.head(rows)),))
    assert UnsortedMatching().attack(scene).rate.hits == 0


@given(st.permutations(range(12)))
def test_an_order_by_chance_is_hardly_ever_taken_for_the_same(order: list[int]) -> None:
    """Twelve rows with a column of their own: only the same order agrees everywhere."""
    frame = pl.DataFrame(
        {"zip": [f"4{row:02}" for row in range(12)], "age": ["2*"] * 12, "ill": ["flu"] * 12}
    )
    found = UnsortedMatching().attack(Scene(table(frame), others=(table(frame[order]),)))
    assert found.rate.hits == 0  # everybody is alone in each release by itself
    if order != list(range(12)):
        assert found.details["same_order"] is False
