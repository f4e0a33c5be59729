"""Parts of a date are whole numbers within the calendar."""

from datetime import date

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from shoal.core.errors import NotAllowed

PARTS = {
    "year": lambda day: day.year,
    "quarter": lambda day: (day.month + 2) // 3,
    "month": lambda day: day.month,
    "day": lambda day: day.day,
    "dow": lambda day: day.isoweekday() % 7,
    "doy": lambda day: day.timetuple().tm_yday,
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("part", PARTS)
def test_parts_are_those_of_python(part: str, dialect: str, nasty: Engines) -> None:
    ways = [f"EXTRACT({part} FROM day)", f"DATE_PART('{part}', day)", f"datepart('{part.upper()}', day)"]
    if part in ("year", "month", "day"):
        ways.append(f"{part.upper()}(day)")
    for sql in ways:
        values = nasty.values(sql, dialect)
        check(rebuilt(sql, dialect), values)
        for value, row in zip(values, SEEN, strict=True):
            day = row["day"]
            assert value == (PARTS[part](day) if isinstance(day, date) else None), sql


def test_months_and_days_are_few_and_years_are_not() -> None:
    assert rebuilt("MONTH(day)").domain == (*range(1, 13), None)
    assert rebuilt("DAY(DATE '2024-02-29')").domain == tuple(range(1, 32))
    assert rebuilt("YEAR(day)").domain is None
    assert rebuilt("LEAST(GREATEST(YEAR(day), 2000), 2009)").domain == tuple(range(2000, 2010))
    assert rebuilt("YEAR(NULL)").domain == (None,)


@pytest.mark.parametrize(
    "sql",
    [
        "EXTRACT(EPOCH FROM day)", "EXTRACT(century FROM day)", "YEAR(name)", "YEAR(age)",
        "DATE_PART('hour', day)", "DATE_PART(name, day)", "DATE_PART('year')",
        "DATE_PART('year', day, day)", "DATE_TRUNC('month', day)", "NOW()", "day + INTERVAL 1 DAY",
        "day + 1", "1 - day", "day - 1", "day * 2", "CURRENT_DATE - day",
    ],
)  # fmt: skip
def test_the_rest_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        rebuilt(sql)
