"""Figures that go out have three digits."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shoal.core.outcome import Json
from shoal.core.rounded_figures import THIN, per_cent, round_figure, round_figures


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.6355441, 0.636),
        (32561, 32600),
        (0.0, 0.0),
        (-1234.5, -1230.0),
        (999.9, 1000.0),
        (math.inf, math.inf),
    ],
)
def test_three_digits_are_left(value: float, told: float) -> None:
    assert round_figure(value) == told and type(round_figure(value)) is type(value)


@example(5e-324)  # nearer to nought the digits of numbers end
@given(st.floats(-1e300, 1e300) | st.integers(-(10**15), 10**15))
def test_no_number_shows_more_than_three_digits(value: float) -> None:
    digits = repr(round_figure(value)).split("e")[0].replace(".", "").strip("-0")  # as JSON writes it
    assert len(digits) <= 3
    assert round_figure(value) == pytest.approx(value, rel=0.0051, abs=1e-320)


def test_a_document_keeps_its_form() -> None:
    document: Json = {"rows": 32561, "a": [0.123456, None, True, "0.123456"], "b": {"c": 99999}}
    assert round_figures(document) == {
        "rows": 32600,
        "a": [0.123, None, True, "0.123456"],
        "b": {"c": 100000},
    }


def test_something_is_never_rounded_to_nothing() -> None:
    assert per_cent(0.0) == f"0{THIN}%" and per_cent(1.0) == f"100{THIN}%"
    assert per_cent(1e-6) == f"<{THIN}0.1{THIN}%" and per_cent(0.99999) == f">{THIN}99.9{THIN}%"
    assert per_cent(0.279) == f"27.9{THIN}%"
