"""Plain values, looked at before they are believed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.queries.declaration.validation import (
    bound_of,
    check_kind,
    check_names,
    ends_of,
    figure,
    fraction_text,
    require,
    settings_in,
)


@given(st.fractions())
def test_a_figure_survives_being_written(value: Fraction) -> None:
    if value >= 0 or "/" not in fraction_text(value):
        assert figure({"epsilon": fraction_text(value)}, "epsilon", "it") == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-1000, max_value=1000))
def test_a_float_counts_as_it_is_written(value: object) -> None:
    assert figure({"epsilon": float(str(value))}, "epsilon", "it") == Fraction(str(float(str(value))))


@pytest.mark.parametrize(
    ("value", "text"), [("0.1", "0.1"), ("1e-6", "0.000001"), ("25", "25"), ("-2.50", "-2.5"), ("1/3", "1/3")]
)
def test_a_figure_is_written_short(value: str, text: str) -> None:
    assert fraction_text(Fraction(value)) == text


@pytest.mark.parametrize(
    ("text", "ends"),
    [("0:120", (0, 120)), ("0..120", (0, 120)), (" -1.5 : .5 ", (-1.5, 0.5)), ("-5..-.5", (-5, -0.5))],
)
def test_bounds_are_two_numbers(text: str, ends: tuple[float, float]) -> None:
    assert ends_of("x", text) == ends
    assert ends_of("x", list(ends)) == ends
    assert ends_of("x", None) == (None, None)


@pytest.mark.parametrize("text", ["", "5", "a:b", "1:2:3", "0:inf", "nan:1", "0;1"])
def test_other_bounds_are_refused(text: str) -> None:
    with pytest.raises(BadParameter, match="of 'x'"):
        ends_of("x", text)


@pytest.mark.parametrize("value", ["", "a", True, [1], float("inf"), 10**400])
def test_a_bound_is_a_finite_number(value: object) -> None:
    with pytest.raises(BadParameter, match="of 'x' is no number"):
        bound_of("x", value)


def test_settings_are_looked_at() -> None:
    assert check_names({"a": 1}, ("a", "b"), "it") == {"a": 1}
    assert check_kind({"a": 1}, "a", "it", int, 5) == 1
    assert check_kind({}, "a", "it", int, 5) == 5
    assert settings_in({"a": {}}, "a", "it") == {}
    with pytest.raises(BadParameter, match="it has no setting 'c'; it has a, b"):
        check_names({"c": 1}, ("a", "b"), "it")
    with pytest.raises(BadParameter, match="a of it is 'True'; give a whole number"):
        check_kind({"a": True}, "a", "it", int, 5)
    with pytest.raises(BadParameter, match="it has no a; add it"):
        require({}, "a", "it", str)
