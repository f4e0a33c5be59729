"""Values exchanged between rows."""

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.steps.swapping import Swapping
from shoal.tables.table import Table

ROWS = st.lists(
    st.tuples(st.none() | st.integers(-9, 9), st.sampled_from(["M", "F", None]), st.sampled_from("ab")),
    min_size=1,
    max_size=40,
)


def made(rows: list[tuple[Any, ...]], number: type[pl.DataType] = pl.Int64) -> Table:
    frame = pl.DataFrame(rows, schema=["x", "sex", "town"], orient="row")
    return Table(frame.with_columns(pl.col("x").cast(number)), quasi=("x", "sex"))


@given(
    ROWS,
    st.sampled_from([(), ("sex",), ("sex", "town")]),
    st.none() | st.floats(0.01, 1),
    st.floats(0.01, 1),
    st.integers(0, 99),
)
def test_the_distribution_stays_exact_as_a_whole_and_within_every_group(
    rows: list[tuple[Any, ...]], within: tuple[str, ...], rank: float | None, share: float, seed: int
) -> None:
    table = made(rows, pl.String if seed % 2 else pl.Int64)
    step = Swapping("x", share, within, rank)
    found = step.apply(table, generator(seed))
    assert found.frame.drop("x").equals(table.frame.drop("x"))
    assert Counter(found.frame["x"]) == Counter(table.frame["x"])
    pairs = [Counter(frame.select("x", *within).iter_rows()) for frame in (found.frame, table.frame)]
    assert pairs[0] == pairs[1]
    assert table.frame.equals(made(rows, pl.String if seed % 2 else pl.Int64).frame)
    changed = found.frame["x"].ne_missing(table.frame["x"]).sum()
    assert changed <= 2 * max(1, round(share * len(rows) / 2))
    assert found.frame.equals(step.apply(table, generator(seed)).frame)


@given(st.integers(2, 60), st.floats(0.01, 1), st.integers(0, 99))
def test_partners_are_never_further_apart_than_the_rank_allows(rows: int, rank: float, seed: int) -> None:
    order = generator(seed).permutation(rows)
    table = Table(pl.DataFrame({"x": order}))
    found = Swapping("x", 1.0, rank=rank).apply(table, generator(seed)).frame["x"].to_numpy()
    assert np.abs(found - order).max() <= max(1, int(rank * rows))


def test_the_asked_share_of_rows_is_swapped_and_partners_vary() -> None:
    table = Table(pl.DataFrame({"x": range(1000)}))
    found = [Swapping("x", 0.1, rank=0.05).apply(table, generator(s)).frame["x"] for s in range(2)]
    for one in found:
        assert (one != table.frame["x"]).sum() == 100
    assert not found[0].equals(found[1])


def test_a_missing_value_is_swapped_like_any_other_but_has_no_rank() -> None:
    table = made([(None, "M", "a"), (1, "M", "a")])
    assert Swapping("x", 1.0).apply(table, generator(1)).frame["x"].to_list() == [1, None]
    assert Swapping("x", 1.0, rank=1.0).apply(table, generator(1)).frame["x"].to_list() == [None, 1]
    assert Swapping("sex", 1.0, ("town",)).apply(table, generator(1)).rows == 2


def test_bad_parameters_are_refused() -> None:
    table = made([(1, "M", "a"), (2, "F", "b")])
    for share in (0.0, 1.5):
        with pytest.raises(BadParameter, match="not above 0 and up to 1"):
            Swapping("x", share)
        with pytest.raises(BadParameter, match="not above 0 and up to 1"):
            Swapping("x", rank=share)
    with pytest.raises(BadParameter, match="within itself"):
        Swapping("x", within=("x",))
    with pytest.raises(BadParameter, match="no column 'y'"):
        Swapping("x", within=("y",)).apply(table, generator(1))
    with pytest.raises(BadParameter, match="no column 'y'"):
        Swapping("y").apply(table, generator(1))
    with pytest.raises(BadParameter, match="needs numbers, and 'sex' has the value 'M'"):
        Swapping("sex", rank=0.1).apply(table, generator(1))
