"""Parts of a date are whole numbers within the calendar."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed

PARTS: dict[str, Callable[[datetime], int]] = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "dow": lambda day: day.isoweekday() % 7,
    "doy": lambda day: day.timetuple().tm_yday,
    "isodow": lambda day: day.isoweekday(),
    "week": lambda day: day.isocalendar().week,
    "hour": lambda day: day.hour,
    "minute": lambda day: day.minute,
    "second": lambda day: day.second,
    "epoch": lambda day: (day - datetime(1970, 1, 1)) // timedelta(seconds=1),
}
COLUMNS = ("day", "other", "spring", "moment", "shift")


def moment_of(value: object) -> datetime:
    assert isinstance(value, date)
    return value if isinstance(value, datetime) else datetime.combine(value, datetime.min.time())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", PARTS)
def test_parts_are_those_of_python(part: str, dialect: str, nasty: Engines) -> None:
    names = {"dow": "DAYOFWEEK", "doy": "DAYOFYEAR"}
    for column in COLUMNS:
        ways = [f"EXTRACT({part} FROM {column})", f"datepart('{part.upper()}', {column})"]
        for sql in [*ways, f"{names.get(part, part).upper()}({column})"]:
            values = nasty.values(sql, dialect)
            check(rebuilt(sql, dialect), values)
            for value, row in zip(values, SEEN, strict=True):
                assert value == (None if row[column] is None else PARTS[part](moment_of(row[column]))), sql


def test_months_and_days_are_few_and_years_are_not() -> None:
    assert rebuilt("MONTH(day)").domain == (*range(1, 13), None)
    assert rebuilt("DAY(DATE '2024-02-29')").domain == (29,)
    assert rebuilt("YEAR(spring)").domain == (2020, None) and rebuilt("WEEK(shift)").domain is not None
    assert rebuilt("MONTH(spring)").domain == (3, 4, 5, None)
    assert rebuilt("YEAR(day)").domain is None
    assert rebuilt("LEAST(GREATEST(YEAR(day), 2000), 2009)").domain == tuple(range(2000, 2010))
    assert rebuilt("YEAR(NULL)").domain == (None,)


@pytest.mark.parametrize(
    "sql",
    [
        "EXTRACT(century FROM day)", "YEAR(name)", "YEAR(age)", "DATE_PART(name, day)", "DATE_PART('year')",
        "DATE_PART('year', day, day)", "NOW()", "day + 1", "1 - day", "day - 1", "day * 2",
        "CURRENT_DATE - day", "EXTRACT(year FROM CURRENT_TIMESTAMP)", "YEAR('2024-13-01')", "HOUR(flag)",
    ],
)  # fmt: skip
def test_the_rest_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        rebuilt(sql)
