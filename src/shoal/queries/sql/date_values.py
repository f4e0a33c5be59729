"""Dates and timestamps as values of a row: written ones, from one kind to the other, and their bounds.

A date is a DATE and a timestamp a TIMESTAMP without a zone, both from 0001 to 9999. Bounds are days since
1970. Values of a domain are texts as they are told: 2024-01-31 and 2024-01-31 10:00:00.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.days import FIRST, LAST, day_of_number
from shoal.queries.declaration.declaration import Kind, Value
from shoal.queries.sql.fixed_point import DOMAIN
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.value_properties import Cell, call, in_parentheses, refuse

TEMPORAL = ("date", "timestamp")
DATE, TIMESTAMP = exp.DataType.Type.DATE, exp.DataType.Type.TIMESTAMP
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)(?:Z| ?\+00(?::?00)?)?)?"
)
_EPOCH = date(1970, 1, 1)


def days_since(day: date) -> float:
    """A day as bounds have it."""
    return float((date(day.year, day.month, day.day) - _EPOCH).days)


def date_cell(day: date) -> Cell:
    """A day that is known."""
    written, bound = day.isoformat(), days_since(day)
    sql = exp.cast(exp.Literal.string(written), DATE, copy=False)
    return Cell(sql, "date", bound, bound, (written,), missing=False)


def moment_cell(moment: datetime) -> Cell:
    """A moment that is known."""
    bound = days_since(moment)
    sql = exp.cast(exp.Literal.string(str(moment)), TIMESTAMP, copy=False)
    return Cell(sql, "timestamp", bound, bound, (str(moment),), missing=False)


def literal_date(written: str, node: exp.Expression) -> Cell:
    """A day as YYYY-MM-DD."""
    try:
        if not _DAY.fullmatch(written):
            raise ValueError
        return date_cell(date.fromisoformat(written))
    except ValueError:
        refuse(node, f"'{written[:20]}' is no day of the calendar; write it as '2024-01-31'")


def literal_moment(written: str, node: exp.Expression) -> Cell:
    """A moment as YYYY-MM-DD HH:MM:SS, of UTC if a zone is written; a day alone is its first."""
    try:
        found = _MOMENT.fullmatch(written)
        if found is None:
            raise ValueError
        return moment_cell(datetime.fromisoformat(f"{found[1]} {found[2] or '00:00'}"))
    except ValueError:
        refuse(node, f"'{written[:30]}' is no moment; write it as '2024-01-31 10:00:00'")


def as_moment(cell: Cell) -> Cell:
    """A date as the first moment of its day."""
    if cell.kind == "timestamp":
        return cell
    known = known_moment(cell)
    if known is not None:
        return moment_cell(known)
    domain = (
        None if cell.domain is None else tuple(None if v is None else f"{v} 00:00:00" for v in cell.domain)
    )
    sql = exp.cast(cell.sql.copy(), TIMESTAMP, copy=False)
    return Cell(sql, "timestamp", cell.low, cell.high, domain, missing=cell.missing)


def as_date(cell: Cell) -> Cell:
    """The day of a moment."""
    if cell.kind == "date":
        return cell
    known = known_moment(cell)
    if known is not None:
        return date_cell(known.date())
    sql = exp.cast(cell.sql.copy(), DATE, copy=False)
    return Cell(sql, "date", cell.low, cell.high, listed_days(cell), missing=cell.missing)


def known_moment(cell: Cell) -> datetime | None:
    """The moment that a written date or timestamp is."""
    if cell.missing or cell.domain is None or len(cell.domain) != 1 or not isinstance(cell.domain[0], str):
        return None
    return datetime.fromisoformat(cell.domain[0])


def ends(cell: Cell) -> tuple[float, float]:
    """The first and the last day that it can be."""
    return (FIRST if cell.low is None else cell.low), (LAST if cell.high is None else cell.high)


def listed_days(cell: Cell) -> tuple[Value, ...] | None:
    """Every day between bounds, when these are few."""
    low, high = ends(cell)
    if high - low >= DOMAIN:
        return None
    return _with_null((_EPOCH + timedelta(days=day) for day in range(int(low), int(high) + 1)), cell.missing)


def _with_null(values: Iterable[date], missing: bool) -> tuple[Value, ...]:
    told: list[Value] = [str(value) for value in values]
    return (*told, None) if missing else tuple(told)


def within(cell: Cell, low: date, high: date) -> exp.Expression:
    """The value where it lies between two days, else null; as it is where its bounds say so."""
    first, last = ends(cell)
    if days_since(low) <= first and last <= days_since(high):
        return cell.sql.copy()
    value = in_parentheses(cell.sql.copy())
    below = date_cell(low) if cell.kind == "date" else moment_cell(datetime(low.year, low.month, low.day))
    top = datetime(high.year, high.month, high.day, 23, 59, 59, 999_999)
    above = date_cell(high) if cell.kind == "date" else moment_cell(top)
    inside = exp.Between(this=value, low=below.sql, high=above.sql)
    return exp.Case(ifs=[exp.If(this=inside, true=value.copy())])


def as_whole_number(typed: TypedExpression, use: str) -> TypedExpression:
    """A date as days since 1970 and a timestamp as seconds, to choose among; numbers as they are."""
    if typed.kind not in TEMPORAL:
        return typed
    if typed.low is None or typed.high is None:
        raise NotAllowed(
            f"{use} needs the first and last day; declare them (--bounds x=2020-01-01..2024-12-31)"
        )
    value, bigint = in_parentheses(typed.sql.copy()), exp.DataType.Type.BIGINT
    if typed.kind == "date":
        since = exp.Sub(this=value, expression=date_cell(_EPOCH).sql)
        return TypedExpression(exp.cast(exp.Paren(this=since), bigint), "integer", typed.low, typed.high)
    whole = call("DATE_TRUNC", exp.Literal.string("second"), value)
    seconds = exp.cast(call("DATE_PART", exp.Literal.string("epoch"), whole), bigint)
    return TypedExpression(seconds, "integer", typed.low * 86_400, typed.high * 86_400 + 86_399)


def told_moment(number: Value, kind: Kind) -> Value:
    """Days or seconds since 1970 as the text of a date or a timestamp."""
    if not isinstance(number, int | float):
        return None
    if kind == "date":
        return day_of_number(round(number)).isoformat()
    seconds = min(max(round(number), FIRST * 86_400), LAST * 86_400 + 86_399)
    return str(datetime(1970, 1, 1) + timedelta(seconds=seconds))
