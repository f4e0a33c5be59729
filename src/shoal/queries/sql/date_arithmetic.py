"""Calculating with dates and timestamps: DATE_TRUNC, INTERVAL, differences. Nothing leaves the calendar."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta

from sqlglot import exp

from shoal.queries.declaration.days import day_of_number
from shoal.queries.declaration.declaration import Value
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.date_parts import temporal, unit_named
from shoal.queries.sql.date_values import (
    DATE,
    TIMESTAMP,
    as_date,
    as_moment,
    date_cell,
    days_since,
    ends,
    known_moment,
    moment_cell,
    within,
)
from shoal.queries.sql.value_properties import (
    Cell,
    Walk,
    call,
    distinct_values,
    image,
    in_parentheses,
    integer,
    refuse,
)

_DAYS = 3_652_058.0  # from 0001-01-01 to 9999-12-31
_CUTS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_SIZE = 2_000  # so many cut moments are listed to know a domain


def truncate(node: exp.Expression, walk: Walk) -> Cell:
    """DATE_TRUNC('month', x): the first moment of its year, quarter, month, week, day, hour …"""
    only(node, "this", "unit", "input_type_preserved")
    unit = unit_named(node.args.get("unit"))
    if unit not in _CUTS:
        refuse(node, f"a date is cut to {', '.join(_CUTS)}; write DATE_TRUNC('month', x)")
    cell = temporal(node.this, walk, node)
    if cell.kind == "date" and unit in ("hour", "minute", "second"):
        cell = as_moment(cell)
    known = known_moment(cell)
    if known is not None:
        return _as_kind(_cut(known, unit), cell.kind)
    low, high = (
        days_since(_cut(datetime.combine(day_of_number(end), datetime.min.time()), unit))
        for end in ends(cell)
    )
    cut = call("DATE_TRUNC", exp.Literal.string(unit), as_moment(cell).sql.copy())
    sql = exp.cast(cut, DATE if cell.kind == "date" else TIMESTAMP, copy=False)

    def value(text: str) -> Value:
        return _told(_cut(datetime.fromisoformat(text), unit), cell.kind)

    domain = image(value, cell) or _cuts(low, high, unit, cell)
    return Cell(sql, cell.kind, low, high, domain, missing=cell.missing)


def _cuts(low: float, high: float, unit: str, cell: Cell) -> tuple[Value, ...] | None:
    """Every first moment of a unit between two days, when they are few."""
    per_day = {"hour": 24, "minute": 1_440, "second": 86_400}.get(unit, 1)
    if cell.low is None or cell.high is None or (high - low) * per_day > _SIZE * 366:
        return None
    step = timedelta(seconds=_SECONDS.get(unit, 86_400))
    found: list[Value] = []
    moment, last = datetime.combine(day_of_number(low), datetime.min.time()), day_of_number(cell.high)
    while moment.date() <= last:
        if len(found) > _SIZE:
            return None
        found.append(_told(moment, cell.kind))
        try:
            moment = _moved(moment, _MONTHS[unit]) if unit in _MONTHS else moment + step
        except (OverflowError, ValueError):
            break
    return distinct_values(found, cell.missing)


def _cut(moment: datetime, unit: str) -> datetime:
    if unit == "week":
        return datetime.combine(moment.date(), datetime.min.time()) - timedelta(days=moment.weekday())
    kept = {"year": 1, "quarter": 2, "month": 2, "day": 3, "hour": 4, "minute": 5, "second": 6}[unit]
    parts = [*moment.timetuple()[:kept], *(1, 1, 1, 0, 0, 0)[kept:]]
    if unit == "quarter":
        parts[1] = (moment.month - 1) // 3 * 3 + 1
    return datetime(*parts)  # type: ignore[arg-type]


def _told(moment: datetime, kind: str) -> str:
    return str(moment.date()) if kind == "date" else str(moment)


def _as_kind(moment: datetime, kind: str) -> Cell:
    return date_cell(moment.date()) if kind == "date" else moment_cell(moment)


def _moved(moment: datetime, months: int) -> datetime:
    """So many months later, at the end of a shorter month where it must be."""
    place = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(place, 12)
    if not 1 <= year <= 9999:
        raise OverflowError
    last = calendar.monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def moves(node: exp.Expression) -> bool:
    """Whether an interval is added or taken off."""
    return isinstance(node.expression, exp.Interval) or isinstance(node.this, exp.Interval)


def move(node: exp.Expression, walk: Walk) -> Cell:
    """x + INTERVAL '3' MONTH and x - INTERVAL 1 DAY; null where the calendar ends."""
    only(node, "this", "expression", "unit")
    value, interval = node.this, node.expression
    if isinstance(value, exp.Interval) and isinstance(node, exp.Add):
        value, interval = interval, value
    if not isinstance(interval, exp.Interval) or isinstance(node, exp.Mul):
        refuse(node, "an interval is added to a date; write x + INTERVAL '3' MONTH")
    amount, unit = _amount(interval, node)
    amount = -amount if isinstance(node, exp.Sub | exp.DateSub) else amount
    cell = temporal(value, walk, node)
    if unit in _SECONDS and unit not in ("day", "week") and cell.kind == "date":
        cell = as_moment(cell)
    known = known_moment(cell)
    if known is not None:
        try:
            return _as_kind(_shifted(known, amount, unit), cell.kind)
        except (OverflowError, ValueError):
            refuse(node, "it lies outside of the years 1 to 9999")
    try:
        kept = within(cell, *_inside(amount, unit))
    except (OverflowError, ValueError):
        refuse(node, "so long an interval leaves the calendar; take a shorter one")
    first, last = (day_of_number(end) for end in ends(cell))
    clock = (datetime.min.time(), datetime.min.time() if cell.kind == "date" else datetime.max.time())
    low, high = (_end(datetime.combine(*end), amount, unit) for end in zip((first, last), clock, strict=True))
    step = exp.Interval(this=exp.Literal.string(str(abs(amount))), unit=exp.Var(this=unit.upper()))
    moment = in_parentheses(exp.cast(kept, TIMESTAMP, copy=False))
    sql: exp.Expression = (exp.Sub if amount < 0 else exp.Add)(this=moment, expression=step)
    sql = exp.cast(exp.Paren(this=sql), DATE if cell.kind == "date" else TIMESTAMP, copy=False)
    bounds = (low, high) if cell.bounded else None

    def value_of(text: str) -> Value:
        try:
            return _told(_shifted(datetime.fromisoformat(text), amount, unit), cell.kind)
        except (OverflowError, ValueError):
            return None

    missing = cell.missing or not isinstance(kept, type(cell.sql)) or kept != cell.sql
    first_day, last_day = bounds or (None, None)
    return Cell(sql, cell.kind, first_day, last_day, image(value_of, cell), missing=missing)


def _amount(interval: exp.Interval, node: exp.Expression) -> tuple[int, str]:
    only(interval, "this", "unit")
    unit, number = unit_named(interval.args.get("unit")), interval.this
    if isinstance(number, exp.Paren):
        number = number.this
    sign = 1
    if isinstance(number, exp.Neg):
        sign, number = -1, number.this
    written = str(number.this).strip() if isinstance(number, exp.Literal) else ""
    if written[:1] in ("-", "+"):
        sign, written = (-sign if written[0] == "-" else sign), written[1:]
    if unit not in {**_MONTHS, **_SECONDS} or not (
        written.isascii() and written.isdigit() and len(written) < 12
    ):
        refuse(node, "an interval is a written whole number of years, months, weeks, days, hours, minutes or "
                     "seconds; write INTERVAL '3' MONTH")  # fmt: skip
    amount = sign * int(written)
    return amount, unit


def _shifted(moment: datetime, amount: int, unit: str) -> datetime:
    if unit in _MONTHS:
        return _moved(moment, amount * _MONTHS[unit])
    return moment + timedelta(seconds=amount * _SECONDS[unit])


def _inside(amount: int, unit: str) -> tuple[date, date]:
    """Between which days a value stays in the calendar when it is moved."""
    first, last = datetime(1, 1, 1), datetime(9999, 12, 31)
    if unit in _MONTHS:
        if amount < 0:
            return _shifted(first, -amount, unit).date(), last.date()
        end = _shifted(last.replace(day=1), -amount, unit)
        return first.date(), end.date().replace(day=calendar.monthrange(end.year, end.month)[1])
    whole = timedelta(days=-(-abs(amount) * _SECONDS[unit] // 86_400))
    return (first + whole).date() if amount < 0 else first.date(), (
        last - whole
    ).date() if amount > 0 else last.date()


def _end(moment: datetime, amount: int, unit: str) -> float:
    """A bound that was moved; what leaves the calendar is its end."""
    try:
        return days_since(_shifted(moment, amount, unit))
    except (OverflowError, ValueError):
        return days_since(date.max if amount > 0 else date.min)


def days_between(node: exp.Expression, left: Cell, right: Cell) -> Cell:
    """A date less a date is a number of days."""
    if not isinstance(node, exp.Sub) or left.kind != right.kind or left.kind != "date":
        refuse(
            node,
            "of dates only the difference of two can be calculated; write x + INTERVAL '1' DAY, "
            "DATE_DIFF('hour', x, y) or a comparison with a number of days",
        )
    return _between(left, right)


def _between(left: Cell, right: Cell) -> Cell:
    sides = in_parentheses(left.sql.copy()), in_parentheses(right.sql.copy())
    sql = exp.cast(exp.Paren(this=exp.Sub(this=sides[0], expression=sides[1])), exp.DataType.Type.BIGINT)
    (a, b), (c, d) = ends(left), ends(right)
    low, high = max(a - d, -_DAYS), min(b - c, _DAYS)
    return integer(low, high, left.missing or right.missing, sql=sql)


def difference(node: exp.Expression, walk: Walk) -> Cell:
    """DATE_DIFF('day', x, y): how many borders of days, months … lie between, as DuckDB has it."""
    only(node, "this", "expression", "unit", "date_part_boundary")
    unit = unit_named(node.args.get("unit") or exp.Var(this="DAY"))
    later, earlier = temporal(node.this, walk, node), temporal(node.expression, walk, node)
    if unit == "day":
        return _between(as_date(later), as_date(earlier))
    if unit in ("year", "quarter", "month"):
        return _less(_months(node.this, unit), _months(node.expression, unit), walk)
    if unit not in _CUTS:
        refuse(node, f"differences are counted in {', '.join(_CUTS)}; write DATE_DIFF('day', x, y)")
    return _less(_steps(node.this, unit), _steps(node.expression, unit), walk)


def _less(left: exp.Expression, right: exp.Expression, walk: Walk) -> Cell:
    return walk.cell(exp.Sub(this=exp.Paren(this=left), expression=exp.Paren(this=right)))


def _extract(unit: str, of: exp.Expression) -> exp.Expression:
    return exp.Extract(this=exp.Var(this=unit), expression=of.copy())


def _months(of: exp.Expression, unit: str) -> exp.Expression:
    if unit == "year":
        return _extract("year", of)
    years = exp.Mul(this=_extract("year", of), expression=exp.Literal.number(12 if unit == "month" else 4))
    return exp.Add(this=years, expression=_extract(unit, of))


def _steps(of: exp.Expression, unit: str) -> exp.Expression:
    if unit == "second":
        return _extract("epoch", of)
    if unit == "week":  # weeks begin on Monday, and 1970 did on a Thursday
        of = exp.TimestampTrunc(this=of.copy(), unit=exp.Var(this="WEEK"))
    seconds = exp.Literal.number(_SECONDS[unit])
    return exp.Floor(this=exp.Div(this=_extract("epoch", of), expression=seconds, typed=False, safe=False))


def to_date(node: exp.Expression, walk: Walk) -> Cell:
    """DATE(x)."""
    only(node, "this")
    return walk.cell(exp.Cast(this=node.this, to=exp.DataType.build("DATE")))
