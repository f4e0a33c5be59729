"""What labels say by themselves."""

from math import inf

import numpy as np
import polars as pl

from shoal.tables.attacker_reasoning.label_syntax import (
    Meaning,
    Span,
    day_of,
    in_days,
    in_numbers,
    keys_on,
    meanings,
    unreadable,
)


def test_plain_values_say_nothing_more_than_themselves() -> None:
    plain = ["flu", "47677", "1975-03-09", "a-b", "Q2", None, "", "***", "1975-13", "x*y"]
    told = meanings(pl.Series(plain, dtype=pl.String))
    assert set(told) <= {plain.index("1975-13")}  # may be a range of numbers, and covers none


def test_a_range_of_years_speaks_of_numbers_and_of_dates() -> None:
    told = meanings(pl.Series(["(1970, 1979]", "20-30"]))
    assert told == {
        0: Meaning((Span("number", 1970, 1979, True), Span("year", 1970, 1979, True))),
        1: Meaning((Span("number", 20, 30),)),
    }


def test_months_and_years_are_days_and_digits_are_numbers() -> None:
    first, last = day_of("1976-02-01"), day_of("1976-02-29")
    february = in_days(Span("month", 1976 * 12 + 1, 1976 * 12 + 1))
    assert february is not None and (february.low, february.high) == (first, last)
    assert in_days(Span("year", 1975, inf)) == Span("day", day_of("1975-01-01") or 0, inf)
    assert in_days(Span("year", 0, 99999)) is None and in_days(Span("number", 1, 2)) is None
    assert in_numbers(Span("start", text="476", length=5)) == Span("number", 47600, 47699)
    assert in_numbers(Span("start", text="A7", length=3)) is None


def test_values_have_places_only_on_their_own_axes() -> None:
    values = pl.Series(["12", " 7 ", "1975-03-09", "1975-03", "nan", "x"])
    assert np.isnan(keys_on("number", values)).tolist() == [False, False, True, True, True, True]
    assert np.isnan(keys_on("day", values)).tolist() == [True, True, False, True, True, True]
    assert keys_on("month", values)[2] == keys_on("month", values)[3] == 1975 * 12 + 2
    assert keys_on("year", values)[2] == 1975 and np.isnan(keys_on("year", values)[0])
    assert day_of("x") is None


def test_what_is_no_number_among_numbers_is_not_read() -> None:
    ages = pl.Series(["25", "70", None])
    labels = pl.Series(["2*", "[20, 30)", "≥ 65", "65 and over", "20s", "41", "***", None, "old"])
    assert unreadable(labels, ages) == ["20s", "65 and over", "old"]
    assert unreadable(labels, ages, known=["old", None]) == ["20s", "65 and over"]
    assert unreadable(labels, pl.Series(["young", "old"])) == [], "words cannot be told from values"
    assert unreadable(labels, pl.Series([None], dtype=pl.String)) == []
    assert unreadable(pl.Series(["1975-**-**", "1975-Q1", "1970s"]), pl.Series(["1975-01-02"])) == [
        "1975-**-**"
    ]
