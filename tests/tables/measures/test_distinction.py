"""Distinction counts distinct values, missing ones included."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter, BadTable
from shoal.tables.measures.distinction import Distinction


def test_a_key_has_distinction_one() -> None:
    assert Distinction(("id",)).measure(pl.DataFrame({"id": [1, 2, 3]})) == 1.0


def test_a_constant_has_one_value_over_all_rows() -> None:
    assert Distinction(("a",)).measure(pl.DataFrame({"a": ["x"] * 4})) == 0.25


def test_a_missing_value_is_a_value() -> None:
    assert Distinction(("a",)).measure(pl.DataFrame({"a": ["x", None, None, "x"]})) == 0.5


def test_columns_may_be_named_like_the_count() -> None:
    frame = pl.DataFrame({"rows": [1, 1], "len": [1, 2], "key0": [3, 3]})
    assert Distinction(("rows", "len", "key0")).measure(frame) == 1.0


def test_naming_a_column_twice_changes_nothing() -> None:
    assert Distinction(("a", "a")).measure(pl.DataFrame({"a": [1, 1]})) == 0.5


def test_an_unknown_column_is_named_with_the_known_ones() -> None:
    with pytest.raises(BadParameter, match="no column 'zipp'; the table has zip, age"):
        Distinction(("zipp",)).measure(pl.DataFrame({"zip": [1], "age": [2]}))


def test_without_columns_all_of_them_count_and_none_at_all_are_refused() -> None:
    frame = pl.DataFrame({"a": [1, 1], "b": [1, 2]})
    assert Distinction().measure(frame) == Distinction(("a", "b")).measure(frame) == 1
    with pytest.raises(BadParameter, match="name at least one"):
        Distinction().measure(frame.select([]))


def test_no_rows_are_refused() -> None:
    with pytest.raises(BadTable, match="no rows"):
        Distinction(("a",)).measure(pl.DataFrame({"a": []}))
