"""Days as numbers and back."""

import datetime

from shoal.queries.declaration.days import FIRST, LAST, day_of_number, number_of_day, span_of_days


def test_days_become_numbers_and_days_again() -> None:
    for day in ("0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31"):
        number = number_of_day(day)
        assert number is not None and day_of_number(number).isoformat() == day
    assert number_of_day(datetime.datetime(1970, 1, 2, 23)) == 1
    assert (number_of_day("0001-01-01"), number_of_day("9999-12-31")) == (FIRST, LAST)


def test_what_is_no_day_is_none() -> None:
    assert {number_of_day(word) for word in ("2023-02-29", "2024-1-1", "x", 5, None)} == {None}
    assert span_of_days("2020-01-01..2020-02-01") == span_of_days("2020-01-01:2020-02-01")
    assert span_of_days("0:120") is None
