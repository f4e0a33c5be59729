"""Whether rows of two releases stand in the same order."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.core.randomness import generator
from shoal.tables.attacks.unsorted_matching import row_order as module
from shoal.tables.attacks.unsorted_matching.row_order import RowOrder, row_order, sorted_blocks
from shoal.tables.table import Table

CHANCE = np.random.default_rng(3)
PEOPLE = pl.DataFrame(
    {
        "zip": CHANCE.choice(["47677", "47602", "47905", "47909"], 60),
        "age": CHANCE.integers(20, 60, 60).astype(str),
        "ill": CHANCE.choice(["flu", "cold", "gout"], 60),
    }
)
ONE = PEOPLE.with_columns(zip=pl.col("zip").str.slice(0, 3) + "**")
TWO = PEOPLE.with_columns(age=pl.col("age").str.slice(0, 1) + "*")


def compared(one: pl.DataFrame, two: pl.DataFrame) -> RowOrder | None:
    tables = [Table(frame, quasi=("zip", "age"), sensitive=("ill",)) for frame in (one, two)]
    return row_order(tables[0], tables[1], {}, generator(0))


def test_rows_in_the_same_order_agree_more_than_chance_does() -> None:
    found = compared(ONE, TWO)
    assert found is not None and found.same
    assert found.meeting == 1 and found.by_chance < 0.2 and found.p == 0.002


def test_shuffled_rows_do_not() -> None:
    found = compared(ONE.sample(fraction=1, shuffle=True, seed=1), TWO)
    assert found is not None and not found.same and found.p > 0.05


def test_releases_of_another_length_or_without_a_common_column_are_not_compared() -> None:
    assert compared(ONE, TWO.head(59)) is None
    tables = [Table(pl.DataFrame({name: ["1"]}), quasi=(name,)) for name in "ab"]
    assert row_order(tables[0], tables[1], {}, generator(0)) is None


def test_being_sorted_alike_is_not_being_the_same_rows() -> None:
    """Both files are sorted by the illness and random besides: they agree, and it means nothing."""
    one = PEOPLE.with_columns(age=pl.lit("*")).sample(fraction=1, shuffle=True, seed=1).sort("ill")
    two = PEOPLE.with_columns(zip=pl.lit("*")).sample(fraction=1, shuffle=True, seed=2).sort("ill")
    found = compared(one, two)
    assert found is not None and found.meeting == 1 and found.p == 1 and not found.same


def test_what_sorting_both_files_would_show_as_well_is_no_news() -> None:
    same = compared(PEOPLE, PEOPLE)
    assert same is not None and same.meeting == 1 and same.p == 1
    order = np.random.default_rng(1).permutation(60)
    one = PEOPLE.with_columns(age=pl.lit("*")).sort("zip", "age", "ill")
    two = PEOPLE.with_columns(ill=pl.lit("*")).sort("zip", "age", "ill")
    found = compared(one[order], two[order])
    assert found is not None and found.p == 1


def test_labels_that_nobody_can_read_agree_by_being_few_pairs() -> None:
    words = {"47677": "north", "47602": "south", "47905": "north", "47909": "south"}
    one = PEOPLE.select(zip=pl.col("zip").replace_strict(words))
    two = PEOPLE.select("zip").with_columns(zip="z" + pl.col("zip"))
    tables = [Table(frame, quasi=("zip",)) for frame in (one, two)]
    found = row_order(tables[0], tables[1], {}, generator(0))
    assert found is not None and found.same and found.by_chance == 1
    shuffled = tables[0].with_frame(one.sample(fraction=1, shuffle=True, seed=4))
    found = row_order(shuffled, tables[1], {}, generator(0))
    assert found is not None and not found.same


def test_with_too_many_labels_only_equal_ones_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DENSE", 0)
    found = compared(ONE, TWO)
    assert found is not None and found.same  # the masks are then strange, and the illnesses agree
    assert 0.2 < found.by_chance < 0.5


def test_what_the_sorting_of_a_file_leaves_open() -> None:
    def blocks(**columns: list[str | None]) -> list[int]:
        found = sorted_blocks([pl.Series(name, values) for name, values in columns.items()])
        return [int(block) for block in found]

    assert blocks(a=["b", "a", "c"]) == [0, 0, 0]
    assert blocks(a=["a", "a", "b"], c=["2", "1", "3"]) == [0, 1, 2]  # by a up, then by c down
    assert blocks(a=["a", "a", "a", "b"], c=["2", "1", "3", "1"]) == [0, 0, 0, 1]
    assert blocks(a=["c", "b", "a"]) == [0, 1, 2]
    assert blocks(a=["9", "10", "11"]) == [0, 1, 2]  # as numbers, not as texts
    assert blocks(c=["2", "1", "3", "1"], a=["a", "a", "a", "b"]) == [0, 0, 0, 1]
    assert blocks(a=["x", "x"], b=[None, None]) == [0, 0]
    assert blocks(a=["x"]) == [0]
