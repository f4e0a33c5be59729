"""Separation counts pairs of rows; a slow twin looks at every pair."""

from itertools import combinations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.measures.separation import Separation

CELL = st.sampled_from(["a", "b", "c", None])


@given(st.lists(st.tuples(CELL, CELL), min_size=2, max_size=30))
def test_separation_is_the_share_of_pairs_that_differ(rows: list[tuple[str | None, str | None]]) -> None:
    frame = pl.DataFrame(rows, schema={"p": pl.String, "q": pl.String}, orient="row")
    pairs = list(combinations(rows, 2))
    assert Separation(("p", "q")).measure(frame) == sum(x != y for x, y in pairs) / len(pairs)


def test_a_single_row_separates_nothing() -> None:
    assert Separation(("a",)).measure(pl.DataFrame({"a": [1]})) == 0.0


def test_a_key_separates_all() -> None:
    assert Separation(("a",)).measure(pl.DataFrame({"a": [1, 2, None]})) == 1.0


def test_a_million_equal_rows_do_not_overflow() -> None:
    frame = pl.DataFrame({"a": [0] * 999_999 + [1]})
    assert Separation(("a",)).measure(frame) == 2 / 1_000_000
