"""Random dates and timestamps of one row, with twins."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from adversary.pieces import Piece, made
from shoal.queries.declaration.declaration import Kind

if TYPE_CHECKING:
    from adversary.making import Maker

DATES, MOMENTS = ("day", "other", "spring"), ("moment", "stamp", "shift")
WRITTEN = (
    "0001-01-01 00:00:00",
    "9999-12-31 23:59:59.999999",
    "2024-02-29 12:00:00.5",
    "1969-12-31 23:59:59",
)
MONTHS = {"month": 1, "quarter": 3, "year": 12}
SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
CUTS: dict[str, Callable[[datetime], datetime]] = {
    "year": lambda m: datetime(m.year, 1, 1),
    "quarter": lambda m: datetime(m.year, (m.month - 1) // 3 * 3 + 1, 1),
    "month": lambda m: datetime(m.year, m.month, 1),
    "day": lambda m: datetime(m.year, m.month, m.day),
    "week": lambda m: datetime(m.year, m.month, m.day) - timedelta(days=m.weekday()),
    "hour": lambda m: m.replace(minute=0, second=0, microsecond=0),
    "minute": lambda m: m.replace(second=0, microsecond=0),
    "second": lambda m: m.replace(microsecond=0),
}
EPOCH = datetime(1970, 1, 1)
PARTS: dict[str, Callable[[datetime], int]] = {
    "year": lambda m: m.year,
    "quarter": lambda m: (m.month + 2) // 3,
    "month": lambda m: m.month,
    "day": lambda m: m.day,
    "dow": lambda m: m.isoweekday() % 7,
    "doy": lambda m: m.timetuple().tm_yday,
    "isodow": lambda m: m.isoweekday(),
    "week": lambda m: m.isocalendar().week,
    "hour": lambda m: m.hour,
    "minute": lambda m: m.minute,
    "second": lambda m: m.second,
    "epoch": lambda m: (m - EPOCH) // timedelta(seconds=1),
}
BORDERS: dict[str, Callable[[datetime], int]] = {
    "day": lambda m: m.toordinal(),
    "month": lambda m: m.year * 12 + m.month,
    "year": lambda m: m.year,
    "quarter": lambda m: m.year * 4 + (m.month - 1) // 3,
    "week": lambda m: CUTS["week"](m).toordinal() // 7,
    "hour": lambda m: (m - EPOCH) // timedelta(hours=1),
    "minute": lambda m: (m - EPOCH) // timedelta(minutes=1),
    "second": lambda m: (m - EPOCH) // timedelta(seconds=1),
}


def as_moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time())


def leaf_moment(make: Maker) -> Piece:
    if make.rng.random() > 0.3:
        return make.column(*MOMENTS)
    written = make.rng.choice(WRITTEN)
    value = datetime.fromisoformat(written)
    return Piece(f"TIMESTAMP '{written}'", "timestamp", lambda _: value, fixed=True, names=("TIMESTAMP",))


def temporal(make: Maker, depth: int) -> Piece:
    """A date or a timestamp that is neither written out nor NULL: those may be refused."""
    kind: Kind = make.rng.choice(("date", "timestamp"))
    found = make.any(kind, depth)
    return (
        make.column(*(DATES if kind == "date" else MOMENTS)) if found.fixed or found.sql == "NULL" else found
    )


def part(make: Maker, depth: int) -> Piece:
    name = make.rng.choice(list(PARTS))
    sql = make.rng.choice((f"EXTRACT({name} FROM {{0}})", f"DATE_PART('{name}', {{0}})"))
    reach = 3e11 if name == "epoch" else 9999
    return made(
        f"part {name}",
        "integer",
        sql,
        lambda m: PARTS[name](as_moment(m)),
        temporal(make, depth),
        jump=True,
        low=-reach,
        high=reach,
    )


def apart(make: Maker, depth: int) -> Piece:
    unit = make.rng.choice(list(BORDERS))
    border = BORDERS[unit]
    return made(
        f"DATE_DIFF {unit}",
        "integer",
        f"DATE_DIFF('{unit}', {{0}}, {{1}})",
        lambda a, b: border(as_moment(b)) - border(as_moment(a)),
        temporal(make, depth),
        temporal(make, depth),
        jump=True,
        low=-4e11,
        high=4e11,
    )


def cut(make: Maker, kind: Kind, depth: int) -> Piece:
    units = [unit for unit in CUTS if kind == "timestamp" or unit not in ("hour", "minute", "second")]
    unit, x = make.rng.choice(units), of_kind(make, kind, depth)
    return made(
        f"DATE_TRUNC {unit}",
        kind,
        f"DATE_TRUNC('{unit}', {{0}})",
        lambda m: _as_kind(CUTS[unit](as_moment(m)), kind),
        x,
        jump=True,
    )


def moved(make: Maker, kind: Kind, depth: int) -> Piece:
    rng, x = make.rng, of_kind(make, kind, depth)
    unit = rng.choice(
        [u for u in (*MONTHS, *SECONDS) if kind == "timestamp" or u not in ("hour", "minute", "second")]
    )
    amount = rng.choice((0, 1, 2, 13, 90, 400, 9_000)) * (1 if rng.random() < 0.5 else -1)
    sign = "-" if amount < 0 else "+"
    return made(
        f"INTERVAL {unit}",
        kind,
        f"({{0}} {sign} INTERVAL '{abs(amount)}' {unit})",
        lambda m: shifted(m, amount, unit),
        x,
        jump=True,
    )


def shifted(value: date, amount: int, unit: str) -> Any:
    """Moved within the calendar; hours are only added to days that stay in it as a whole."""
    moment = as_moment(value)
    try:
        if unit in MONTHS:
            year, month = divmod(moment.year * 12 + moment.month - 1 + amount * MONTHS[unit], 12)
            last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 0
            found = moment.replace(year=year, month=month + 1, day=min(moment.day, last))
        else:
            seconds = amount * SECONDS[unit]
            days = -(-abs(seconds) // 86_400)
            datetime.combine(moment.date(), time()) + timedelta(days=days if amount > 0 else -days)
            found = moment + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None
    return found if isinstance(value, datetime) else found.date()


def of_kind(make: Maker, kind: Kind, depth: int) -> Piece:
    found = make.any(kind, depth)
    return (
        make.column(*(DATES if kind == "date" else MOMENTS)) if found.fixed or found.sql == "NULL" else found
    )


def _as_kind(moment: datetime, kind: Kind) -> date:
    return moment.date() if kind == "date" else moment


def cast(make: Maker, kind: Kind, depth: int) -> Piece:
    """From the other of the two kinds."""
    if kind == "date":
        sql = make.rng.choice(("CAST({0} AS DATE)", "DATE({0})", "({0})::DATE"))
        return made(
            "CAST timestamp AS DATE", "date", sql, lambda m: m.date(), of_kind(make, "timestamp", depth)
        )
    return made(
        "CAST date AS TIMESTAMP",
        "timestamp",
        "CAST({0} AS TIMESTAMP)",
        as_moment,
        of_kind(make, "date", depth),
    )
