"""The forms of columns, and the corners of numbers and texts."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.declaration.declaration import Value
from shoal.queries.sql.nullable_arrays import alike, as_text, column, like, plain_values, ranks, round_half_up


@pytest.mark.parametrize(
    ("given_values", "expected"),
    [
        (["a", None, 3, float("nan")], ["a", None, None, None]),
        ([None, True, False, 1], [None, True, False, None]),
        ([None, 1, 2.5, "x", True, Decimal("0.5"), 10**400], [None, 1.0, 2.5, None, None, 0.5, None]),
        ([float("inf"), 1.0, float("nan")], [None, 1.0, None]),
        ([date(2024, 2, 29), None], ["2024-02-29", None]),
        ([None, None], [None, None]),
        ([], []),
    ],
)
def test_a_column_takes_any_values_and_odd_ones_are_null(given_values: Any, expected: list[Value]) -> None:
    assert plain_values(column(given_values), whole=False) == expected


def test_a_column_takes_every_kind_of_array() -> None:
    assert column(np.array([1, 2], np.uint8)).dtype == np.float64
    assert plain_values(column(np.array([True, False])), False) == [True, False]
    assert plain_values(column(np.array(["a", "b"])), False) == ["a", "b"]
    assert plain_values(column(np.array(["2024-01-01", "NaT"], "datetime64[D]")), False) == [
        "2024-01-01",
        None,
    ]
    assert column(np.array(3)).shape == ()


@pytest.mark.parametrize("values", [["a", None], [True, None, False], [1, None, 2.5], [None]])
def test_a_column_in_its_form_stays_as_it_is(values: list[Value]) -> None:
    once = column(values)
    assert column(once).dtype == once.dtype
    assert plain_values(column(once), False) == plain_values(once, False) == values


def test_null_goes_with_every_kind() -> None:
    null = np.asarray(np.nan)
    texts, empty = alike(column(["a"]), null)
    assert texts.dtype == empty.dtype == object and empty == None  # noqa: E711
    truths, unknown = alike(column([True]), null)
    assert truths.dtype == unknown.dtype == np.int8 and unknown == 0


def test_halves_are_rounded_away_from_zero_and_huge_numbers_are_left() -> None:
    numbers = np.array([0.5, -0.5, 2.5, 0.49999999999999994, 1e308, 4503599627370497.0])
    assert round_half_up(numbers).tolist() == [1.0, -1.0, 3.0, 0.0, 1e308, 4503599627370497.0]
    with np.errstate(all="ignore"):
        assert round_half_up(np.array([1e308, 1.25]), np.asarray(1.0)).tolist() == [1e308, 1.3]
    assert round_half_up(np.array([1250.0]), np.asarray(-2.0)).tolist() == [1300.0]


def test_numbers_are_written_without_a_needless_point() -> None:
    assert as_text(column([1.0, -0.0, 0.1, 1e20, None])).tolist() == ["1", "0", "0.1", "1e+20", None]
    assert as_text(column([True, None, False])).tolist() == ["true", None, "false"]


def _like(text: str, pattern: str) -> bool:
    """LIKE as a recursion that tries everything."""
    if not pattern:
        return not text
    if pattern[0] == "%":
        return any(_like(text[place:], pattern[1:]) for place in range(len(text) + 1))
    return bool(text) and pattern[0] in ("_", text[0]) and _like(text[1:], pattern[1:])


@given(st.text("ab.\n", max_size=7), st.text("ab.%_", max_size=6))
def test_like_is_the_recursion_that_tries_everything(text: str, pattern: str) -> None:
    assert plain_values(like(column([text]), pattern), False) == [_like(text, pattern)]


def test_a_hostile_pattern_ends() -> None:
    """Whoever tries everything is not done before the sun is."""
    found = like(column(["a" * 5000]), "%a" * 200 + "%b")
    assert plain_values(found, False) == [False]


@given(st.lists(st.sampled_from([None, 0.0, -0.0, 1.0, -5.5, 1e300])), st.booleans(), st.booleans())
def test_ranks_sort_as_python_does(values: list[float | None], descending: bool, nulls_first: bool) -> None:
    def place(index: int) -> tuple[bool, float]:
        value = values[index]
        if value is None:
            return (not nulls_first, 0.0)
        return (nulls_first, -value if descending else value)

    found = np.argsort(ranks(column(values), descending, nulls_first), kind="stable").tolist()
    assert found == sorted(range(len(values)), key=place)
    assert not any(value is not None and math.isnan(value) for value in values)
