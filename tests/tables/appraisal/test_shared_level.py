"""A column counted on one level on both sides."""

from __future__ import annotations

import polars as pl

from shoal.tables.appraisal.shared_level import shared_level
from shoal.tables.hierarchies.spec import hierarchy_of

DAYS = [f"{year}-0{month}-1{day}" for year in range(1960, 1990) for month in (1, 5) for day in (1, 2)]
BEFORE = pl.Series("born", DAYS)
TREE = hierarchy_of("date()", BEFORE, "born")


def test_years_and_decades_are_counted_as_decades_in_order() -> None:
    after = pl.Series(["1960-1969"] * 40 + ["1971"] * 20 + ["1970-1979"] * 20 + ["*"] * 30)
    found = shared_level(BEFORE, after, TREE)
    assert found is not None
    assert [label for label, _ in found.before] == ["1960", *map(str, range(1961, 1990))]
    assert sum(rows for _, rows in found.before) == len(DAYS) == 120
    by_label = dict(found.after)
    assert by_label["1960"] == 40 / 10 + 1 and by_label["1971"] == 20 + 2 + 1
    assert by_label["1985"] == 1


def test_ranges_that_no_branch_covers_are_spread_over_their_values() -> None:
    codes = pl.Series([str(number) for number in range(100, 200)])
    tree = hierarchy_of("interval(width=10,levels=3)", codes, "code")
    found = shared_level(codes, pl.Series(["[105, 114]"] * 50 + ["[100, 199]"] * 50), tree)
    assert found is not None and found.level == 1
    assert [rows for _, rows in found.after] == [30, 30, *[5] * 8]
    assert {rows for _, rows in found.before} == {10}


def test_a_label_that_nobody_knows_is_not_guessed_at() -> None:
    assert shared_level(BEFORE, pl.Series(["long ago"]), TREE) is None
