"""Dates and timestamps as values: from one to the other, and as numbers to choose among."""

from datetime import date, datetime

import pytest
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.date_values import (
    as_date,
    as_moment,
    as_whole_number,
    date_cell,
    moment_cell,
    told_moment,
)
from shoal.queries.sql.typed_expression import TypedExpression


def test_a_written_day_is_its_first_moment_and_back() -> None:
    assert as_moment(date_cell(date(2024, 2, 29))).domain == ("2024-02-29 00:00:00",)
    assert as_date(moment_cell(datetime(2024, 2, 29, 23, 59))).domain == ("2024-02-29",)


def test_days_and_seconds_are_told_as_they_were() -> None:
    assert told_moment(0, "date") == "1970-01-01" and told_moment(1.4, "timestamp") == "1970-01-01 00:00:01"
    assert (
        told_moment(1e12, "date") == "9999-12-31" and told_moment(-1e15, "timestamp") == "0001-01-01 00:00:00"
    )
    assert told_moment(None, "date") is None


def test_a_choice_among_days_needs_the_first_and_the_last() -> None:
    place = exp.column("d", table="t")
    with pytest.raises(NotAllowed, match="first and last day"):
        as_whole_number(TypedExpression(place, "date"), "MIN(d)")
    seconds = as_whole_number(TypedExpression(place, "timestamp", 0.0, 1.0), "MIN(d)")
    assert (seconds.kind, seconds.low, seconds.high) == ("integer", 0.0, 172_799.0)
