"""A noisy number that was asked for first, put where the rows of a question are compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlglot import exp

from shoal.queries.answering.assemble_answer import AnswerRows
from shoal.queries.declaration.days import day_of_number
from shoal.queries.declaration.declaration import Value
from shoal.queries.query import Earlier
from shoal.queries.sql.literals import EARLIER_STEP


def number_of(earlier: Earlier, told: AnswerRows) -> exp.Expression:
    """The one cell of an answer as it is written in SQL; null where there is none, or more rows than one."""
    value = told.rows[0][0] if len(told.rows) == 1 and len(told.rows[0]) == 1 else None
    written = _written(earlier, value)
    return exp.Null() if written is None else exp.Literal.string(written)


def filled_in(select: exp.Select, numbers: Sequence[exp.Expression]) -> exp.Select:
    """A statement with the numbers in their places."""
    places = list(select.find_all(exp.Parameter)) if numbers else []
    if not places:
        return select
    made = select.copy()
    for place in list(made.find_all(exp.Parameter)):
        place.replace(numbers[int(place.this.this)].copy())
    return made


def _written(earlier: Earlier, value: Value) -> str | None:
    if earlier.kind == "number":
        if not isinstance(value, int | float) or value != value:
            return None
        within = min(max(float(value), earlier.low), earlier.high)
        return repr(round(within * 2.0**-EARLIER_STEP) * 2.0**EARLIER_STEP)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    day = (moment.date() - date(1970, 1, 1)).days
    inside = min(max(day, earlier.low), earlier.high)
    if inside != day:
        return day_of_number(inside).isoformat()
    return moment.date().isoformat() if earlier.kind == "date" else str(moment)
