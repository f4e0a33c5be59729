"""Noise on numbers."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.steps.noise import Bounds, Kind, Noise
from shoal.tables.table import Table

KINDS: list[Kind] = ["gaussian", "laplace", "uniform"]


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_as_wide_as_asked_and_centred(kind: Kind) -> None:
    values = generator(1).normal(1000, 200, 20_000)
    table = Table(pl.DataFrame({"income": values}))
    moved = Noise("income", 0.25, kind).apply(table, generator(2)).frame["income"].to_numpy() - values
    assert moved.std() == pytest.approx(0.25 * values.std(), rel=0.03)
    assert abs(moved.mean()) < 4 * moved.std() / np.sqrt(len(moved))
    if kind == "uniform":
        assert abs(moved).max() <= 0.25 * values.std() * np.sqrt(3) + 1e-9
    else:  # the tails tell a Laplace from a Gaussian: kurtosis 6 against 3
        kurtosis = ((moved - moved.mean()) ** 4).mean() / moved.var() ** 2
        assert kurtosis == pytest.approx(6 if kind == "laplace" else 3, rel=0.15)


@given(
    st.lists(st.none() | st.integers(-1000, 1000), min_size=2, max_size=30).filter(
        lambda values: len({*values} - {None}) > 1
    ),
    st.sampled_from(KINDS),
    st.sampled_from(["open", "kept"]),
    st.integers(0, 100),
)
def test_whole_numbers_stay_whole_and_missing_ones_missing(
    values: list[int | None], kind: Kind, bounds: Bounds, seed: int
) -> None:
    known = [value for value in values if value is not None]
    for column in (pl.Series("x", values), pl.Series("x", values).cast(pl.String)):
        table = Table(column.to_frame(), quasi=("x",))
        found = Noise("x", 0.5, kind, bounds).apply(table, generator(seed))
        again = Noise("x", 0.5, kind, bounds).apply(table, generator(seed))
        assert found.frame.equals(again.frame) and found.quasi == ("x",)
        assert table.frame["x"].equals(column, null_equal=True)
        assert [value is None for value in found.frame["x"]] == [value is None for value in values]
        moved = found.frame["x"].cast(pl.Int64, strict=True).drop_nulls().to_list()
        if bounds == "kept":
            assert min(known) <= min(moved) and max(moved) <= max(known)


@pytest.mark.parametrize("deviation", [0.0, -1.0, float("nan"), float("inf")])
def test_bad_parameters_are_refused(deviation: float) -> None:
    with pytest.raises(BadParameter, match="not above 0"):
        Noise("x", deviation)
    with pytest.raises(BadParameter, match="no kind 'cauchy'"):
        Noise("x", kind="cauchy")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="neither open nor kept"):
        Noise("x", bounds="shut")  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [[5, 5, 5], [None, None], [7]])
def test_noise_that_would_change_nothing_is_refused(values: list[int | None]) -> None:
    with pytest.raises(BadParameter, match="all values are alike"):
        Noise("x").apply(Table(pl.DataFrame({"x": values}, schema={"x": pl.Int64})), generator(1))
