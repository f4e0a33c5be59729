"""What a cell of the data counts as, spelled in the SQL of an engine.

A cell that cannot be read as its declared kind is missing; a number outside its bounds counts as the bound.
No cell whatever makes an expression raise, and every cell is looked at alone: what becomes of one person's
rows never depends on another's. Both engines come to the same codes.

A text counts as a number when it has at most 200 signs and an exponent of at most two digits: so it always
fits into a double, in either engine, without an error to catch. A text is cut to 1,000 signs, so that
nobody's row takes much longer than another's. What could be taken for another unit is nobody's: a longer one,
since cutting could merge people, and a number with a fraction where units are whole, since rounding could.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, Protocol

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.frames import one_line, quote_value
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.stores.cleaning_days import day_sql, literal_ends, moment_sql

Source = Literal["whole", "float", "truth", "day", "moment", "text"]  # what a cell is before it is cleaned

NUMBER = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})?$"
WHOLE = "^[+-]?[0-9]{1,18}$"
LONG = "^[+-]?[0-9]{19,40}$"
SIGNS = 200
LONGEST = 1_000
_REACH = "9223372036854775808"  # of 64 bits


def _any_case(*words: str) -> str:
    # Not lower(): what it makes of letters outside of ASCII differs between engines and locales.
    spelled = ("".join(f"[{sign.upper()}{sign}]" if sign.isalpha() else sign for sign in w) for w in words)
    return f"^({'|'.join(spelled)})$"


YES, NO = _any_case("true", "t", "yes", "y", "1"), _any_case("false", "f", "no", "n", "0")
ENDLESS, BOTTOMLESS = "^[+]?" + _any_case("infinity", "inf")[1:], "^-" + _any_case("infinity", "inf")[1:]


class Spelling(Protocol):
    """How an engine writes what the cleaning needs."""

    double: str

    def text(self, cell: str) -> str:
        """Any cell as text, compared byte by byte."""

    def trimmed(self, text: str) -> str:
        """A text without blanks around it, or null when it has more signs than `SIGNS`."""

    def matches(self, text: str, pattern: str) -> str:
        """Whether a pattern is found."""

    def cast(self, value: str, kind: str) -> str:
        """A value that is known to fit."""

    def rounded(self, number: str) -> str:
        """A double that fits as BIGINT, to the nearest, a half to the even one."""

    def long(self, text: str) -> str:
        """A text of 19 to 40 digits as BIGINT, or null when it does not fit."""


@dataclass(frozen=True)
class Codes:
    """The first and the last step of the grid that a bounded column can take."""

    low: int
    high: int


def codes(column: Column) -> Codes:
    """The codes of a column's bounds, rounded inwards."""
    assert column.low is not None and column.high is not None
    grid = column.grid
    low, high = math.ceil(Fraction(column.low) / grid), math.floor(Fraction(column.high) / grid)
    if low > high:
        raise BadParameter(
            f"no {column.kind} lies between the bounds {column.low} and {column.high} of '{column.name}';"
            " choose wider ones"
        )
    if float(grid) < 2.0**-900:
        raise BadParameter(
            f"the bounds {column.low} and {column.high} of '{column.name}' are too close to zero;"
            " measure in a smaller unit"
        )
    return Codes(low, high)


def quote_name(name: str) -> str:
    """A name as SQL takes it literally."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL takes it literally."""
    return "'" + text.replace("'", "''") + "'"


def match_columns(table: Table, names: Sequence[str], where: str) -> list[str]:
    """The name that each declared column has in the data: the same, or the only one that differs in case."""
    found = []
    for column in table.columns:
        alike = [name for name in names if name.lower() == column.name.lower()]
        if column.name in names:
            found.append(column.name)
        elif len(alike) == 1:
            found.append(alike[0])
        elif alike:
            raise BadTable(
                f"{where} has {' and '.join(map(quote_value, alike))} for '{column.name}'; rename one"
            )
        else:
            raise BadTable(f"no column '{column.name}' in {where}; it has {one_line(', '.join(names))}")
    return found


def value(column: Column, cell: str, source: Source, spelling: Spelling, unit: bool = False) -> str:
    """A cell as a value of its kind, not yet held to any bounds; a double or a BIGINT for numbers."""
    if column.kind == "text":
        text = _text(cell, source, spelling)
        if column.keys:
            return _keyed(column, text)
        if not unit:
            return f"LEFT({text}, {LONGEST})"
        if source == "moment":  # a day is written as one, also where somebody else's has a time of day
            day = spelling.cast(cell, "DATE")
            text = f"CASE WHEN {cell} = {day} THEN {spelling.text(day)} ELSE {text} END"
        return f"CASE WHEN LENGTH({text}) <= {LONGEST} THEN {text} END"
    if column.kind == "boolean":
        return _truth(cell, source, spelling)
    if column.kind == "date":
        return day_sql(cell, source, spelling)
    if column.kind == "timestamp":
        return moment_sql(cell, source, spelling)
    if _as_whole(column, source):
        return _keyed(column, _whole(cell, source, spelling, unit))
    return _double(cell, source, spelling)


def stored_value(column: Column, value: str, source: Source, spelling: Spelling) -> str:
    """A value as the store holds it: numbers within their bounds, as codes; finite where there are none."""
    if column.temporal and column.low is not None and column.high is not None:
        low, high = literal_ends(column)
        return f"CASE WHEN {value} < {low} THEN {low} WHEN {value} > {high} THEN {high} ELSE {value} END"
    if column.kind not in ("integer", "number"):
        return value
    if not column.bounded:
        if column.kind == "integer":
            return value
        bottom, top, zero = (_float(text, spelling) for text in ("-Infinity", "Infinity", "0"))
        # Adding 0 makes -0 the same as 0, which a choice among rows must not tell apart.
        return f"CASE WHEN {value} > {bottom} AND {value} < {top} THEN {value} + {zero} END"
    if column.never_null:
        ends = codes(column)
        held = stored_value(replace(column, never_null=False), value, source, spelling)
        return f"COALESCE({held}, {max(ends.low, min(ends.high, 0))})"
    ends = codes(column)
    inside = f"GREATEST({ends.low}, LEAST({ends.high}, {{}}))".format
    if _as_whole(column, source):
        # GREATEST passes over a null, and would make the bound of it.
        return f"CASE WHEN {value} IS NULL THEN NULL ELSE {inside(value)} END"
    grid = float(column.grid)
    low, high = _float(repr(column.low), spelling), _float(repr(column.high), spelling)
    # Bounds come before the division, which PostgreSQL refuses when it leaves the reach of a double.
    return (
        f"CASE WHEN {value} IS NULL THEN NULL WHEN {value} <= {low} THEN {ends.low}"
        f" WHEN {value} >= {high} THEN {ends.high}"
        f" WHEN ABS({value}) <= {_float(repr(grid / 2), spelling)} THEN {max(ends.low, min(ends.high, 0))}"
        f" ELSE {inside(spelling.rounded(f'{value} / {_float(repr(grid), spelling)}'))} END"
    )


def sql_type(column: Column, spelling: Spelling) -> str:
    """The type that the store holds a column in."""
    if column.kind == "number" and not column.bounded:
        return spelling.double
    return {
        "integer": "BIGINT",
        "number": "BIGINT",
        "text": "TEXT",
        "boolean": "BOOLEAN",
        "date": "DATE",
        "timestamp": "TIMESTAMP",
    }[column.kind]


def _as_whole(column: Column, source: Source) -> bool:
    """Whether a number stays a BIGINT all the way: exact, and needed where keys or units are compared."""
    if column.kind != "integer":
        return False
    return not column.bounded or column.keys is not None or source == "whole"


def _text(cell: str, source: Source, spelling: Spelling) -> str:
    """A cell as text. Whole numbers have no point: one person's missing value makes pandas write doubles.

    What is no number is no text either, or all people without a number would be one.
    """
    text = spelling.text(cell)
    if source != "float":
        return text
    return (
        f"CASE WHEN {_exact(cell)} THEN {spelling.text(spelling.cast(cell, 'BIGINT'))}"
        f" WHEN {cell} <> {_float('NaN', spelling)} THEN {text} END"
    )


def _exact(number: str) -> str:
    """Whether a double is a whole number, and no neighbour of one."""
    return f"{number} = FLOOR({number}) AND ABS({number}) < {2**53}"


def _float(text: str, spelling: Spelling) -> str:
    return f"CAST('{text}' AS {spelling.double})"


def _keyed(column: Column, value: str) -> str:
    if column.keys is None:
        return value
    keys = ", ".join(literal(key) if isinstance(key, str) else str(key) for key in column.keys)
    return f"CASE WHEN {value} IN ({keys}) THEN {value} END"


def _double(cell: str, source: Source, spelling: Spelling) -> str:
    double = spelling.double
    if source == "whole":
        return spelling.cast(cell, double)
    if source == "truth":
        return spelling.cast(spelling.cast(cell, "INTEGER"), double)
    if source == "float":
        number = spelling.cast(cell, double)
        return f"CASE WHEN {number} <> {_float('NaN', spelling)} THEN {number} END"
    if source == "text":
        text = spelling.trimmed(spelling.text(cell))
        return (
            f"CASE WHEN {spelling.matches(text, NUMBER)} THEN {spelling.cast(text, double)}"
            f" WHEN {spelling.matches(text, ENDLESS)} THEN {_float('Infinity', spelling)}"
            f" WHEN {spelling.matches(text, BOTTOMLESS)} THEN {_float('-Infinity', spelling)} END"
        )
    return f"CAST(NULL AS {double})"


def _whole(cell: str, source: Source, spelling: Spelling, unit: bool) -> str:
    if source == "whole":
        return spelling.cast(cell, "BIGINT")
    if source == "truth":
        return spelling.cast(spelling.cast(cell, "INTEGER"), "BIGINT")
    if source in ("day", "moment"):
        return "CAST(NULL AS BIGINT)"
    number = _double(cell, source, spelling)
    low, high = _float(f"-{_REACH}", spelling), _float(_REACH, spelling)
    fits = _exact(number) if unit else f"{number} >= {low} AND {number} < {high}"
    rounded = f"CASE WHEN {fits} THEN {spelling.rounded(number)} END"
    if source == "float":
        return rounded
    text = spelling.trimmed(spelling.text(cell))
    return (
        f"CASE WHEN {spelling.matches(text, WHOLE)} THEN {spelling.cast(text, 'BIGINT')}"
        f" WHEN {spelling.matches(text, LONG)} THEN {spelling.long(text)} ELSE {rounded} END"
    )


def _truth(cell: str, source: Source, spelling: Spelling) -> str:
    if source == "truth":
        return cell
    if source in ("whole", "float"):
        return f"CASE WHEN {cell} = 1 THEN TRUE WHEN {cell} = 0 THEN FALSE END"
    if source == "text":
        text = spelling.trimmed(spelling.text(cell))
        yes, no = spelling.matches(text, YES), spelling.matches(text, NO)
        return f"CASE WHEN {yes} THEN TRUE WHEN {no} THEN FALSE END"
    return "CAST(NULL AS BOOLEAN)"
