"""Texts that a spreadsheet would run are shown, and come back as they were."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.engines.formula_escaping import escape_formulas, unescape_formulas


def written(*texts: str | None) -> list[str | None]:
    return escape_formulas(pl.DataFrame({"a": pl.Series(texts, dtype=pl.String)}))["a"].to_list()


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "+49 170"]
)
def test_what_could_be_a_formula_gets_a_quote(text: str) -> None:
    assert written(text) == [f"'{text}"]


@pytest.mark.parametrize(
    "text", ["-5", "+5", "-5.25", "-1,000.5", "-1e-9", "+.5", "flu", "", "a=b", "1-2", "'", None]
)
def test_numbers_and_other_texts_are_left_alone(text: str | None) -> None:
    assert written(text) == [text]


def test_names_of_columns_are_cells_too() -> None:
    frame = escape_formulas(pl.DataFrame({"=cmd": ["1"], "b": ["2"]}))
    assert frame.columns == ["'=cmd", "b"] and unescape_formulas(frame).columns == ["=cmd", "b"]


@given(st.lists(st.none() | st.text("'=+-@\t\r\n＝5.e a", max_size=6), min_size=1))
def test_what_was_written_is_read_back(texts: list[str | None]) -> None:
    frame = pl.DataFrame({"a": pl.Series(texts, dtype=pl.String)})
    assert unescape_formulas(escape_formulas(frame)).equals(frame)
    for text in escape_formulas(frame)["a"].drop_nulls():
        assert not text.startswith(("=", "@", "\t", "\r", "\n"))
