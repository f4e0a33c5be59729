from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies.exact_numbers import (
    decimal_text,
    digits_of,
    number_of,
    numbers_of,
    parameter,
    scale_to_integers,
)


@pytest.mark.parametrize("text", ["5", "-5.25", "+.5", "5.", " 7 ", "1e+20", "1e-7", "007"])
def test_what_polars_writes_as_a_number_is_one(text: str) -> None:
    assert number_of(text) == Decimal(text.strip())


@pytest.mark.parametrize(
    "text", ["", "NaN", "inf", "1_000", "3,5", "٣", "0x10", "1e9999", "1e-999", "1" * 500, "*"]
)
def test_what_is_no_finite_number_is_none(text: str) -> None:
    assert number_of(text) is None


def test_a_value_that_is_no_number_is_named() -> None:
    with pytest.raises(BadHierarchy, match="'old' is not a number"):
        numbers_of(["1", "old"])


def test_a_parameter_that_is_no_number_is_named() -> None:
    with pytest.raises(BadParameter, match="width=wide is not a number"):
        parameter("width", "wide")
    assert parameter("width", 0.1) == Decimal("0.1")


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9)))
def test_numbers_survive_as_whole_multiples(numbers: list[Decimal]) -> None:
    digits = digits_of(numbers)
    for number, whole in zip(numbers, scale_to_integers(numbers, digits), strict=True):
        assert Decimal(decimal_text(whole, digits)) == number


def test_whole_numbers_are_written_without_a_point() -> None:
    assert [decimal_text(300, 1), decimal_text(-25, 1), decimal_text(3, -2), decimal_text(0, 3)] == [
        "30",
        "-2.5",
        "300",
        "0",
    ]
