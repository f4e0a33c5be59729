"""Numbers replaced by the middle of their group."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.steps.microaggregation import Aggregate, Microaggregation
from shoal.tables.table import Table


def applied(step: Microaggregation, frame: pl.DataFrame) -> pl.DataFrame:
    return step.apply(Table(frame), generator(1)).frame


def test_a_worked_example_by_hand() -> None:
    # The middle is 39.2, the farthest from it 90; its two nearest are 70 and 60. The rest is one group.
    frame = pl.DataFrame({"x": ["1", "90", "2", "60", "3", "70", "3"], "y": list("abcdefg")})
    found = applied(Microaggregation(("x",), 3), frame)
    assert found["x"].to_list() == ["2", "73", "2", "73", "2", "73", "2"]
    exact = applied(Microaggregation(("x",), 3, "mean", 2), frame)
    assert exact["x"].to_list()[:2] == ["2.25", "73.33"]
    median = applied(Microaggregation(("x",), 3, "median", 1), frame)
    assert median["x"].to_list()[:2] == ["2.5", "70.0"] and median["y"].equals(frame["y"])


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 5)), min_size=2, max_size=60),
    st.integers(2, 6),
    st.sampled_from(["mean", "median"]),
)
def test_every_combination_occurs_k_times_and_groups_are_small(
    rows: list[tuple[int, int]], k: int, aggregate: Aggregate
) -> None:
    if len(rows) < k:
        return
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
    found = applied(Microaggregation(("a", "b"), k, aggregate, 9), frame)
    assert min(Counter(found.iter_rows()).values()) >= k
    if aggregate == "mean":  # groups keep the sum, so the column does
        assert found["a"].sum() == pytest.approx(frame["a"].sum(), abs=1e-6)
    assert frame.equals(pl.DataFrame(rows, schema=["a", "b"], orient="row"))


@given(st.lists(st.tuples(*[st.none() | st.integers(0, 9)] * 2), min_size=1, max_size=40), st.integers(2, 4))
def test_missing_values_are_values(rows: list[tuple[Any, ...]], k: int) -> None:
    frame = pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64}, orient="row")
    try:
        found = applied(Microaggregation(("a", "b"), k), frame)
    except BadParameter as error:
        few = len(rows) < k
        assert ("give a smaller k" if few else "complete them or leave them out") in str(error)
        return
    assert min(Counter(found.iter_rows()).values()) >= k
    for column in "ab":  # nothing is filled in
        assert not (found[column].is_not_null() & frame[column].is_null()).any()


def test_columns_weigh_alike_whatever_their_unit() -> None:
    values = generator(1).normal(size=(60, 2))
    frame = pl.DataFrame({"a": values[:, 0], "b": values[:, 1]})
    metres = frame.with_columns(pl.col("b") * 1000)
    one, other = (applied(Microaggregation(("a", "b"), 4), table) for table in (frame, metres))
    assert np.allclose(one["a"], other["a"]) and np.allclose(one["b"] * 1000, other["b"])


def test_it_gives_k_anonymity_by_itself() -> None:
    chance = generator(4)
    frame = pl.DataFrame(
        {"age": chance.integers(18, 90, 300), "income": chance.normal(40000, 9000, 300).round(2)}
    )
    step = "microaggregation(columns=age|income,k=5)"
    release = shoal.protect(frame, quasi="age,income", k=5, step=step, seed=1)
    assert release.levels == {"age": 0, "income": 0} and release.suppressed == 0
    assert shoal.verify(release).holds and not shoal.verify(frame, quasi="age,income", k=2).holds
    # Closer than the mean of all, by far.
    moved = release.table.frame["income"].cast(pl.Float64).std()
    assert isinstance(moved, float) and moved > 0.8 * statistics.stdev(frame["income"])


@settings(deadline=None)
@given(st.integers(0, 20))
def test_groups_are_better_than_random_ones(seed: int) -> None:
    values = generator(seed).normal(size=(80, 2))
    frame = pl.DataFrame({"a": values[:, 0], "b": values[:, 1]})
    found = applied(Microaggregation(("a", "b"), 4), frame).to_numpy()
    assert ((found - values) ** 2).sum() < 0.35 * ((values - values.mean(axis=0)) ** 2).sum()


def test_every_group_of_twenty_thousand_rows_is_large_enough() -> None:
    values = generator(1).normal(size=(20_000, 2))
    frame = pl.DataFrame({"a": values[:, 0], "b": values[:, 1]})
    found = applied(Microaggregation(("a", "b"), 5), frame)
    sizes = found.group_by("a", "b").len()["len"].to_list()
    assert min(sizes) == 5 and max(sizes) < 10


def test_bad_parameters_are_refused() -> None:
    for wrong, cause in [
        ({"columns": ()}, "needs columns"),
        ({"columns": ("a", "a")}, "twice"),
        ({"columns": ("a",), "k": 1}, "give 2 or more"),
        ({"columns": ("a",), "aggregate": "mode"}, "no aggregate 'mode'"),
        ({"columns": ("a",), "digits": -1}, "not between 0 and 12"),
    ]:
        with pytest.raises(BadParameter, match=cause):
            Microaggregation(**wrong)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="no column 'b'"):
        applied(Microaggregation(("b",)), pl.DataFrame({"a": [1]}))
    with pytest.raises(BadParameter, match="has 3 rows, fewer than k=5"):
        applied(Microaggregation(("a",)), pl.DataFrame({"a": [1, 2, 3]}))
