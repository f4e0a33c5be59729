"""Columns as numbers and back."""

from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.number_columns import Numbers
from shoal.tables.table import Table


def numbers(values: pl.Series) -> Numbers:
    return Numbers.of(Table(values.alias("x").to_frame()), "x", "noise")


def test_texts_are_read_and_written_with_as_many_digits_as_they_have() -> None:
    found = numbers(pl.Series(["1.50", " 2", None, "-3.125"]))
    assert found.values.tolist()[:2] == [1.5, 2.0] and found.known.tolist() == [True, True, False, True]
    assert found.digits == 3
    assert found.written(np.array([1, 2.00049, np.nan, -0.0001])).to_list() == [
        "1.000",
        "2.000",
        None,
        "0.000",
    ]
    assert found.written(np.array([1.26]), 1).to_list() == ["1.3"]


def test_whole_numbers_stay_whole_and_floats_are_left_alone() -> None:
    assert numbers(pl.Series([1, 2], dtype=pl.Int8)).written(np.array([300.4, np.nan])).to_list() == [
        300,
        None,
    ]
    assert numbers(pl.Series(["1", "2"])).written(np.array([300.5, -2.2])).to_list() == ["300", "-2"]
    assert numbers(pl.Series([1.0, 2.5])).written(np.array([0.1 + 0.2])).to_list() == [0.1 + 0.2]
    price = numbers(pl.Series([Decimal("1.25"), None]))
    assert price.written(np.array([2.256, np.nan])).to_list() == [Decimal("2.26"), None]
    assert numbers(pl.Series([1, 2])).written(np.array([1e30])).to_list()[0] > 9e18
    assert numbers(pl.Series([1, 2])).written(np.array([1.25]), 1).to_list() == [1.2]


@pytest.mark.parametrize(
    ("values", "cause"),
    [
        (pl.Series(["1", "x"]), "'x' has the value 'x'"),
        (pl.Series(["1", ""]), "has the value ''"),
        (pl.Series(["1", "nan"]), "has the value 'nan'"),
        (pl.Series(["1", "1e999"]), "too large or no number"),
        (pl.Series([1.0, float("nan")]), "too large or no number"),
        (pl.Series([True, False]), "type Boolean"),
    ],
)
def test_what_is_no_number_is_refused(values: pl.Series, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        numbers(values)


def test_a_missing_column_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadParameter, match="noise: no column 'y'; the table has x"):
        Numbers.of(Table(pl.DataFrame({"x": [1]})), "y", "noise")
