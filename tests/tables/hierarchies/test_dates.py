from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies import of_dates
from shoal.tables.hierarchies.dates import of_years

from .checks import assert_hierarchy, way

HIGHER = ["1987-03", "1987-Q1", "1987", "1980-1989", "*"]


@pytest.mark.parametrize(
    "text", ["1987-03-14", "1987/03/14", "14.03.1987", "14.3.1987", "14/03/1987", "03/14/1987"]
)
def test_a_date_climbs_from_month_to_decade(text: str) -> None:
    assert way(of_dates([text]), text) == [text, *HIGHER]


@pytest.mark.parametrize(
    "text",
    ["1987-03-14T09:30", "1987-03-14 09:30:00.000000", "1987-03-14T09:30:00Z", "1987-03-14 09:30:00+02:00"],
)
def test_a_time_meets_others_on_its_day_first(text: str) -> None:
    assert way(of_dates([text, "1987-03-14"]), text) == [text, "1987-03-14", *HIGHER]


def test_one_date_of_the_column_tells_the_order_for_all() -> None:
    assert of_dates(["02/01/1990", "31/01/1990"]).label("02/01/1990", 1) == "1990-01"
    assert of_dates(["02/01/1990", "01/31/1990"]).label("02/01/1990", 1) == "1990-02"


def test_a_column_that_leaves_the_order_open_is_refused_until_told() -> None:
    with pytest.raises(BadHierarchy, match="'02/01/1990' may start with the day or with the month"):
        of_dates(["05/05/1990", "02/01/1990"])
    assert of_dates(["02/01/1990"], day_first=True).label("02/01/1990", 1) == "1990-01"
    assert of_dates(["02/01/1990"], day_first=False).label("02/01/1990", 1) == "1990-02"
    assert of_dates(["05/05/1990"]).label("05/05/1990", 1) == "1990-05"


def test_years_are_certain_even_when_the_order_is_open() -> None:
    assert way(of_years(["02/01/1990"]), "02/01/1990") == ["02/01/1990", "1990", "1990-1999", "*"]


@pytest.mark.parametrize("text", ["1987-02-30", "yesterday", "1987", "1987-13-01", "1987-03-14 25:00", ""])
def test_a_value_that_is_no_date_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadHierarchy, match=f"'{text}' is not a date"):
        of_dates(["1987-03-14", text])


def test_a_column_in_two_formats_is_refused_with_the_first_stranger() -> None:
    with pytest.raises(
        BadHierarchy, match=r"'14\.03\.1987' is not a date written YYYY-MM-DD like the ones before"
    ):
        of_dates(["1987-03-14", "1987-03-15", "14.03.1987"])


@given(st.lists(st.dates(), min_size=1))
def test_all_dates_are_a_hierarchy(days: list[date]) -> None:
    values = [day.isoformat() for day in days]
    assert_hierarchy(of_dates(values), values)


@given(st.lists(st.datetimes(), min_size=1))
def test_all_times_are_a_hierarchy(times: list[datetime]) -> None:
    values = [time.isoformat(sep=" ") for time in times]
    assert_hierarchy(of_dates(values), values)
