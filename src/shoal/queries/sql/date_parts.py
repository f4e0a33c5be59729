"""Parts of a date or timestamp as whole numbers: EXTRACT, DATE_PART, YEAR and their like."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime

from sqlglot import exp

from shoal.queries.declaration.days import day_of_number
from shoal.queries.declaration.declaration import Value
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.date_values import TEMPORAL, as_moment, ends, literal_moment
from shoal.queries.sql.value_properties import Cell, Walk, call, constant, image, integer, null_of, refuse

PARTS: dict[str, tuple[float, float]] = {
    "year": (1.0, 9999.0),
    "quarter": (1.0, 4.0),
    "month": (1.0, 12.0),
    "week": (1.0, 53.0),
    "day": (1.0, 31.0),
    "dow": (0.0, 6.0),
    "isodow": (1.0, 7.0),
    "doy": (1.0, 366.0),
    "hour": (0.0, 23.0),
    "minute": (0.0, 59.0),
    "second": (0.0, 59.0),
    "epoch": (-math.inf, math.inf),
}
_IN_PYTHON: dict[str, Callable[[datetime], int]] = {
    "year": lambda moment: moment.year,
    "quarter": lambda moment: (moment.month + 2) // 3,
    "month": lambda moment: moment.month,
    "week": lambda moment: moment.isocalendar().week,
    "day": lambda moment: moment.day,
    "dow": lambda moment: moment.isoweekday() % 7,
    "isodow": lambda moment: moment.isoweekday(),
    "doy": lambda moment: moment.timetuple().tm_yday,
    "hour": lambda moment: moment.hour,
    "minute": lambda moment: moment.minute,
    "second": lambda moment: moment.second,
    "epoch": lambda moment: int((moment - datetime(1970, 1, 1)).total_seconds() // 1),
}
_ALIKE = {
    "dayofweek": "dow", "weekday": "dow", "dayofweekiso": "isodow", "dayofyear": "doy", "dayofmonth": "day",
    "weekofyear": "week", "timetounix": "epoch", "years": "year", "months": "month", "days": "day",
    "weeks": "week", "quarters": "quarter", "hours": "hour", "minutes": "minute", "seconds": "second",
}  # fmt: skip
NAMED = (
    exp.Year, exp.Quarter, exp.Month, exp.Week, exp.WeekOfYear, exp.Day, exp.DayOfMonth, exp.DayOfWeek,
    exp.DayOfWeekIso, exp.DayOfYear, exp.Hour, exp.Minute, exp.Second, exp.TimeToUnix,
)  # fmt: skip
_CLOCK = ("hour", "minute", "second", "epoch")
_CURE = f"a date has {', '.join(PARTS)}; write EXTRACT(YEAR FROM x)"


def unit_named(wanted: object) -> str:
    """The name of a part as it is known here, whatever it was written as."""
    written = str(wanted.this).lower() if isinstance(wanted, exp.Var | exp.Literal) else ""
    return _ALIKE.get(written, written)


def extract(node: exp.Expression, walk: Walk) -> Cell:
    """EXTRACT(YEAR FROM x)."""
    only(node, "this", "expression")
    return _part(unit_named(node.this), node.expression, node, walk)


def named_part(node: exp.Expression, walk: Walk) -> Cell:
    """YEAR(x), MONTH(x), HOUR(x) and their like."""
    only(node, "this")
    name = type(node).__name__.lower()
    return _part(_ALIKE.get(name, name), node.this, node, walk)


def date_part(node: exp.Expression, walk: Walk) -> Cell:
    """DATE_PART('year', x)."""
    only(node, "this", "expressions")
    arguments = node.expressions
    if len(arguments) != 2 or not isinstance(arguments[0], exp.Literal) or not arguments[0].is_string:
        refuse(node, f"a date has {', '.join(PARTS)}; write DATE_PART('year', x)")
    return _part(unit_named(arguments[0]), arguments[1], node, walk)


def temporal(node: object, walk: Walk, around: exp.Expression) -> Cell:
    """A part that is a date or a timestamp; a written text counts as one."""
    cell = walk.cell(node)
    if cell.blank:
        return null_of("date")
    written = constant(cell)
    if cell.kind == "text" and isinstance(written, str):
        return literal_moment(written, around)
    if cell.kind not in TEMPORAL:
        refuse(around, f"it is {cell.kind}, not a date; CAST it to DATE")
    return cell


def _part(name: str, of: object, node: exp.Expression, walk: Walk) -> Cell:
    if name not in PARTS:
        refuse(node, _CURE)
    return part_of(name, temporal(of, walk, node))


def part_of(name: str, cell: Cell) -> Cell:
    """A part of a date or timestamp as a whole number."""
    low, high = PARTS[name]
    if name == "epoch":
        first, last = ends(cell)
        low, high = first * 86_400, last * 86_400 + 86_399
    elif name == "year":
        low, high = (float(day_of_number(end).year) for end in ends(cell))
    moment = as_moment(cell) if name in _CLOCK else cell
    value_of = moment.sql.copy()
    if name in _CLOCK:  # whole seconds: no double has all the fractions
        value_of = call("DATE_TRUNC", exp.Literal.string("second"), value_of)
    found = call("DATE_PART", exp.Literal.string(name), value_of)

    def value(text: str) -> Value:
        return _IN_PYTHON[name](datetime.fromisoformat(text))

    sql = exp.cast(found, exp.DataType.Type.BIGINT, copy=False)
    return integer(low, high, cell.missing, sql=sql, domain=image(value, cell))
