"""Dates are cut, moved and subtracted as in the calendar of Python; none leaves the years 1 to 9999."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from queries.sql.rows_scene import DIALECTS, SEEN, Engines, check, rebuilt
from queries.sql.test_date_parts import moment_of
from shoal.core.errors import NotAllowed

COLUMNS = ("day", "other", "spring", "moment", "shift")
CUTS: dict[str, Callable[[datetime], datetime]] = {
    "year": lambda m: datetime(m.year, 1, 1),
    "quarter": lambda m: datetime(m.year, (m.month - 1) // 3 * 3 + 1, 1),
    "month": lambda m: datetime(m.year, m.month, 1),
    "week": lambda m: datetime(m.year, m.month, m.day) - timedelta(days=m.weekday()),
    "day": lambda m: datetime(m.year, m.month, m.day),
    "hour": lambda m: m.replace(minute=0, second=0, microsecond=0),
    "minute": lambda m: m.replace(second=0, microsecond=0),
    "second": lambda m: m.replace(microsecond=0),
}
INTERVALS = [
    ("1", "DAY"), ("-1", "DAY"), ("90", "days"), ("3", "MONTH"), ("-1", "month"), ("1", "YEAR"),
    ("-9000", "years"),
    ("2", "WEEK"), ("9998", "year"), ("1", "quarter"), ("5", "HOUR"), ("-1", "second"), ("90", "minutes"),
    ("0", "day"),
    ("119976", "month"),
]  # fmt: skip


def moved(moment: datetime, amount: int, unit: str) -> datetime | None:
    months = {"month": 1, "quarter": 3, "year": 12}
    unit = unit.lower().rstrip("s")
    try:
        if unit not in months:
            return moment + amount * timedelta(**{f"{unit}s": 1})
        year, month = divmod(moment.year * 12 + moment.month - 1 + amount * months[unit], 12)
        last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 0
        return moment.replace(year=year, month=month + 1, day=min(moment.day, last))
    except (OverflowError, ValueError):
        return None


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("unit", CUTS)
def test_a_moment_is_cut_to_the_first_of_its_unit(unit: str, dialect: str, nasty: Engines) -> None:
    for column in COLUMNS:
        sql = f"DATE_TRUNC('{unit}', {column})"
        found, values = rebuilt(sql, dialect), nasty.values(sql, dialect)
        check(found, values)
        for value, row in zip(values, SEEN, strict=True):
            wanted = None if row[column] is None else CUTS[unit](moment_of(row[column]))
            assert (value if value is None else moment_of(value)) == wanted, sql
    assert rebuilt("DATE_TRUNC('month', spring)").domain == ("2020-03-01", "2020-04-01", "2020-05-01", None)
    assert rebuilt("DATE_TRUNC('month', shift)").domain == ("2020-03-01 00:00:00", None)
    assert rebuilt("DATE_TRUNC('month', day)").domain is None
    assert len(rebuilt("DATE_TRUNC('hour', shift)").domain or ()) == 31 * 24 + 1


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("amount", "unit"), INTERVALS)
def test_a_moment_moves_by_an_interval_or_leaves_the_calendar(
    amount: str, unit: str, dialect: str, nasty: Engines
) -> None:
    ways = [f"{{}} + INTERVAL '{amount}' {unit}", f"INTERVAL '{amount} {unit}' + {{}}"]
    ways += [f"{{}} - INTERVAL '{-int(amount)}' {unit}", f"DATE_ADD({{}}, INTERVAL ({amount}) {unit})"]
    for column in COLUMNS:
        for way in ways:
            sql = way.format(column)
            found, values = rebuilt(sql, dialect), nasty.values(sql, dialect)
            check(found, values)
            for value, row in zip(values, SEEN, strict=True):
                wanted = None if row[column] is None else moved(moment_of(row[column]), int(amount), unit)
                if value is None and wanted is not None:  # hours at the very end of the calendar
                    assert unit.lower() in ("hour", "minutes", "second") and wanted.year in (1, 9999), sql
                    continue
                assert (value if value is None else moment_of(value)) == wanted, (sql, row[column])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_differences_count_borders(dialect: str, nasty: Engines) -> None:
    ways: dict[str, Callable[[datetime], int]] = {
        "day": lambda m: m.toordinal(),
        "month": lambda m: m.year * 12 + m.month,
        "quarter": lambda m: m.year * 4 + (m.month - 1) // 3,
        "year": lambda m: m.year,
        "hour": lambda m: (m - datetime(1970, 1, 1)) // timedelta(hours=1),
        "minute": lambda m: (m - datetime(1970, 1, 1)) // timedelta(minutes=1),
        "second": lambda m: (m - datetime(1970, 1, 1)) // timedelta(seconds=1),
        "week": lambda m: CUTS["week"](m).toordinal() // 7,
    }
    for unit, number in ways.items():
        for one, other in (
            ("day", "other"),
            ("moment", "day"),
            ("spring", "shift"),
            ("'2020-02-29'", "moment"),
        ):
            sql = f"DATE_DIFF('{unit}', {one}, {other})"
            values = nasty.values(sql, dialect)
            check(rebuilt(sql, dialect), values)
            for value, row in zip(values, SEEN, strict=True):
                ends = [date(2020, 2, 29) if "2020" in name else row[name] for name in (one, other)]
                wanted = None if None in ends else number(moment_of(ends[1])) - number(moment_of(ends[0]))
                assert value == wanted, (sql, ends)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_kinds_meet_and_are_cast(dialect: str, nasty: Engines) -> None:
    midnight = datetime(2024, 2, 29)
    ways: dict[str, tuple[str, Callable[..., object]]] = {
        "moment < '2024-02-29'": ("moment", lambda m: m < midnight),
        "moment >= DATE '2024-02-29'": ("moment", lambda m: m >= midnight),
        "moment BETWEEN TIMESTAMP '1970-01-01 00:00:00' AND '2024-02-29 12:30:46'": (
            "moment", lambda m: datetime(1970, 1, 1) <= m <= datetime(2024, 2, 29, 12, 30, 46)),
        "moment IN ('1970-01-01', '2024-02-29')": ("moment", lambda m: m == datetime(1970, 1, 1)),
        "CAST(moment AS DATE)": ("moment", lambda m: m.date()),
        "moment::DATE = day": ("moment", lambda _: None),
        "DATE(moment)": ("moment", lambda m: m.date()),
        "CAST(day AS TIMESTAMP)": ("day", moment_of),
        "CAST(moment AS VARCHAR)": ("moment", lambda m: str(m.replace(microsecond=0))),
        "CAST(shift AS TEXT)": ("shift", lambda m: str(m.replace(microsecond=0))),
        "COALESCE(moment, day)": ("moment", lambda m: m),
        "GREATEST(shift, '2020-03-05')": ("shift", lambda m: max(m, datetime(2020, 3, 5))),
    }  # fmt: skip
    for sql, (column, function) in ways.items():
        values = nasty.values(sql, dialect)
        check(rebuilt(sql, dialect), values)
        for value, row in zip(values, SEEN, strict=True):
            if row[column] is not None and "= day" not in sql:
                assert value == function(row[column]), (sql, row[column])
    texts = nasty.values("CAST(name AS TIMESTAMP)", dialect)
    for value, row in zip(texts, SEEN, strict=True):
        days = {"2024-02-29": datetime(2024, 2, 29), "0001-01-01": datetime(1, 1, 1)}
        days["9999-12-31"] = datetime(9999, 12, 31)
        assert value == days.get(str(row["name"])), row["name"]


def test_written_dates_are_worked_out_beforehand() -> None:
    assert rebuilt("DATE '1998-12-01' - INTERVAL '90' DAY").domain == ("1998-09-02",)
    assert rebuilt("DATE '1994-01-31' + INTERVAL '1' MONTH").domain == ("1994-02-28",)
    assert rebuilt("DATE_TRUNC('week', TIMESTAMP '2024-02-29 10:00:00')").domain == ("2024-02-26 00:00:00",)
    assert rebuilt("spring + INTERVAL '1' DAY").high == 18414


@pytest.mark.parametrize(
    "sql",
    [
        "day + INTERVAL '1.5' DAY", "day + INTERVAL age DAY", "day + INTERVAL '1' CENTURY",
        "age + INTERVAL '1' DAY",
        "INTERVAL '1' DAY", "INTERVAL '1' DAY - day", "moment - moment",
        "day + INTERVAL '9999' YEAR", "DATE '9999-12-31' + INTERVAL '1' DAY",
        "day + INTERVAL '999999999' DAY", "DATE_TRUNC('century', day)", "DATE_TRUNC(name, day)",
        "DATE_TRUNC('month', name)", "DATE_DIFF('century', day, other)", "moment < 'yesterday'",
        "moment = name",
        "CAST(age AS TIMESTAMP)", "CAST(moment AS BIGINT)", "CAST(moment AS BOOLEAN)",
        "CURRENT_DATE", "NOW()",
        "moment < CURRENT_TIMESTAMP", "day * INTERVAL '1' DAY", "moment::TIMESTAMPTZ",
    ],
)  # fmt: skip
def test_the_rest_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed):
        rebuilt(sql)
