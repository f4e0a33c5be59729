"""Cells that break careless code, and a slow twin that says what each counts as."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta
from fractions import Fraction

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Kind, Table

Cell = str | int | float | bool | date | None

TEXTS: list[str | None] = [
    None, "", " ", "0", "-0", "+5", " 7 ", "\t8\r\n", "1.5", "2.5", "-2.5", ".5", "5.", "1e3", "1E-3",
    "-1e99", "1e100", "1e400", "1e-400", "9" * 30, "9" * 200, "9" * 201, "0." + "0" * 190 + "1", "NaN",
    "inf", "-Infinity", "+INF", "infinit", "0x10", "1_000", "1,5", "1 2", "--1", "1e", "e5", ".", "+",
    "٣", "９", "1\n2", "1\x0b", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "0000000000000000000000000005", "9007199254740993", "4503599627370497",
    "0.49999999999999994", "true", "T", "YES", "n", "0", "falsch", "F", "M", "f", "F ", "é", "e\u0301",
    "'; DROP TABLE x; --", 'a"b', "\\", "2020-02-29", "2019-02-29", "2000-02-29", "1900-02-29",
    "0000-01-01", "0001-01-01", "9999-12-31", "10000-01-01", "2020-13-01", "2020-04-31", "2020-1-1",
    "2020-01-01T25:99", "2020-01-01 x", "2020-01-01x", "infinity", "epoch", "now", "today",
    "x" * 1_000, "x" * 65_537, "é" * 1_001, "2020-02-29 23:59:59.999999", "2020-02-29T24:00:00",
    "2020-02-29T10:00", "2020-02-29 10:00:60", "2020-02-29T10:00:00Z", "2020-02-29 10:00:00+00:00",
    "2020-02-29 10:00:00+02", "2020-02-29T10:00:00.1234567890", "2020-02-29T10:00:00.123456789",
    "2020-02-29T",
    "9999-12-31 23:59:59.9999999", "2020-03-01 1:00:00", "2019-01-01 00:00:00.5Z", "2020-02-29 10",
]  # fmt: skip
FLOATS: list[float | None] = [
    None, 0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 1e-320, 5e-324, -5e-324, 1e308, -1e308, 1e18, 2.0**63,
    -(2.0**63), 2.0**53, math.nan, math.inf, -math.inf, 119.99999999999999, 120.00000000000001, 1.0,
    0.1, 1 / 3, 2.0**-31, 3 * 2.0**-31,
]  # fmt: skip
WHOLES: list[int | None] = [None, 0, 1, -1, 2, 120, 121, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, -(2**63)]
TRUTHS: list[bool | None] = [None, True, False]
DAYS: list[date | None] = [None, date(1, 1, 1), date(9999, 12, 31), date(2024, 2, 29)]
MOMENTS: list[datetime | None] = [
    None, datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_999), datetime(2020, 3, 1, 12),
    datetime(1969, 12, 31, 23, 59, 59, 999_999),
]  # fmt: skip

COLUMNS = (
    Column("t"),
    Column("keyed", "text", keys=("F", "M", "é", "it's")),
    Column("truth", "boolean"),
    Column("day", "date"),
    Column("spring", "date", 18322, 18413),
    Column("moment", "timestamp"),
    Column("shift", "timestamp", 18322, 18352),
    Column("whole", "integer"),
    Column("whole_keyed", "integer", keys=(0, 1, 5, -3)),
    Column("whole_bounded", "integer", 0, 120),
    Column("whole_both", "integer", 1, 3, keys=(0, 2, 5, 120)),
    Column("whole_wide", "integer", -(2.0**52), 2.0**52),
    Column("number", "number"),
    Column("bounded", "number", -1.5, 100.25),
    Column("tiny", "number", 0, 1e-200),
    Column("large", "number", -(2.0**52), 2.0**51 + 0.3),
)


def dataset(columns: tuple[Column, ...], rows: int = 1, unit: Kind = "integer") -> Dataset:
    """A table `d` of these columns and a unit."""
    table = Table("d", (Column("u", unit), *columns), "u", rows)
    return Dataset("odd", (table,), Budget(Fraction(1)))


def twin(column: Column, cell: Cell) -> Cell:
    """What a store holds for a cell, worked out with exact fractions."""
    if column.kind == "text":
        text = _text(cell)
        fits = text is not None and (not column.keys or text in column.keys)
        return text[:1_000] if fits and text is not None else None
    if column.kind == "boolean":
        return _truth(cell)
    if column.kind == "date":
        day = _day(cell)
        if day is None or column.low is None or column.high is None:
            return day
        low, high = (date(1970, 1, 1) + timedelta(days=int(end)) for end in (column.low, column.high))
        return min(max(day, low), high)
    if column.kind == "timestamp":
        moment = _moment(cell)
        if moment is None or column.low is None or column.high is None:
            return moment
        low, high = (datetime(1970, 1, 1) + timedelta(days=int(end)) for end in (column.low, column.high))
        return min(max(moment, low), high + timedelta(days=1, microseconds=-1))
    if column.kind == "integer" and (column.keys is not None or not column.bounded):
        whole = _whole(cell)
        if whole is None or (column.keys is not None and whole not in column.keys):
            return None
        return _clamped(column, Fraction(whole)) if column.bounded else whole
    number = _number(cell)
    if number is None or (math.isinf(number) and not column.bounded):
        return None
    if not column.bounded:
        return number + 0.0
    assert column.low is not None and column.high is not None
    return _clamped(column, Fraction(min(max(number, column.low), column.high)))


def _clamped(column: Column, number: Fraction) -> int:
    assert column.low is not None and column.high is not None
    low, high = math.ceil(Fraction(column.low) / column.grid), math.floor(Fraction(column.high) / column.grid)
    return min(max(round(number / column.grid), low), high)


def _text(cell: Cell) -> str | None:
    if isinstance(cell, bool):
        return str(cell).lower()
    return None if cell is None else str(cell)


def _trimmed(cell: str) -> str:
    return cell.strip(" \t\r\n") if len(cell) <= 200 else "-"


def _number(cell: Cell) -> float | None:
    if isinstance(cell, str):
        text = _trimmed(cell)
        if re.fullmatch(r"[+-]?inf(inity)?", text, re.IGNORECASE | re.ASCII):
            return float(text)
        shape = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,2})?"
        return float(text) if re.fullmatch(shape, text) else None
    if cell is None or isinstance(cell, date):
        return None
    return None if math.isnan(cell) else float(cell)


def _whole(cell: Cell) -> int | None:
    if isinstance(cell, str) and re.fullmatch("[+-]?[0-9]{1,40}", _trimmed(cell)):
        whole = int(_trimmed(cell))
    elif isinstance(cell, int):
        whole = int(cell)
    else:
        number = _number(cell)
        if number is None or math.isinf(number):
            return None
        whole = round(Fraction(number))
    return whole if -(2**63) <= whole < 2**63 else None


def _truth(cell: Cell) -> bool | None:
    if isinstance(cell, str):
        text = _trimmed(cell)
        plain = text.lower() if text.isascii() else "-"
        return {"true": True, "t": True, "yes": True, "y": True, "1": True}.get(
            plain, False if plain in ("false", "f", "no", "n", "0") else None
        )
    if isinstance(cell, date):
        return None
    return None if cell not in (0, 1) else bool(cell)


def _day(cell: Cell) -> date | None:
    if isinstance(cell, str):
        found = re.match(r"([0-9]{4})-([0-9]{2})-([0-9]{2})([T ]|$)", _trimmed(cell))
        try:
            return date(*map(int, found.groups()[:3])) if found else None
        except ValueError:
            return None
    return date(cell.year, cell.month, cell.day) if isinstance(cell, date) else None


def _moment(cell: Cell) -> datetime | None:
    if isinstance(cell, str):
        clock = r"[T ](\d\d:\d\d)((:\d\d)(\.\d{1,9})?)?(Z|\+00(:?00)?)?"
        found = re.fullmatch(rf"(\d{{4}}-\d\d-\d\d)({clock})?", _trimmed(cell), re.ASCII)
        try:
            return found and datetime.fromisoformat(
                f"{found[1]} {found[3] or '00:00'}{found[5] or ':00'}{(found[6] or '')[:7]}"
            )
        except ValueError:
            return None
    if isinstance(cell, datetime):
        return cell
    return datetime(cell.year, cell.month, cell.day) if isinstance(cell, date) else None
