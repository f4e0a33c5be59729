"""Dates: the value itself → month → quarter → year → decade → `*`, with the day before them for times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.hierarchy import Hierarchy, Label
from shoal.tables.hierarchies.leaves import distinct

_TIME = r"(?:[T ](?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?(?:\d\d)?)?)?"
_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"


@dataclass(frozen=True)
class _Format:
    """One way to write a date; a whole column keeps to one."""

    name: str
    pattern: re.Pattern[str]

    def read(self, text: str) -> date | None:
        found = self.pattern.fullmatch(text)
        if not found:
            return None
        try:
            return date(int(found["year"]), int(found["month"]), int(found["day"]))
        except ValueError:
            return None


def _format(name: str, *parts: str) -> _Format:
    return _Format(name, re.compile("".join(parts) + _TIME, re.ASCII))


_DAY_FIRST = _format("DD/MM/YYYY", _DAY, "/", _MONTH, "/", _YEAR)
_MONTH_FIRST = _format("MM/DD/YYYY", _MONTH, "/", _DAY, "/", _YEAR)
FORMATS = (
    _format("YYYY-MM-DD", _YEAR, "-", _MONTH, "-", _DAY),
    _format("YYYY/MM/DD", _YEAR, "/", _MONTH, "/", _DAY),
    _format("DD.MM.YYYY", _DAY, r"\.", _MONTH, r"\.", _YEAR),
    _format("DD-MM-YYYY", _DAY, "-", _MONTH, "-", _YEAR),
    _DAY_FIRST,
    _MONTH_FIRST,
)


def of_dates(values: Iterable[Label], day_first: bool | None = None) -> Hierarchy:
    """The hierarchy of a column of dates, all written alike.

    With slashes, the column decides whether the day or the month comes first; when it leaves that open,
    `day_first` must tell.
    """
    leaves = distinct(values)
    return _hierarchy(leaves, _read(leaves, day_first), months=True)


def of_years(values: Iterable[Label]) -> Hierarchy:
    """Year and decade only: all that is certain when day and month cannot be told apart."""
    leaves = distinct(values)
    return _hierarchy(leaves, _read(leaves, day_first=True), months=False)


def _read(leaves: list[str], day_first: bool | None) -> list[date]:
    """Every value as a date, in the one format that fits them all."""
    fits: dict[str, list[date]] = {}
    longest, stranger, of_format = -1, leaves[0], ""
    for form in FORMATS:
        if form is (_MONTH_FIRST if day_first else _DAY_FIRST) and day_first is not None:
            continue
        dates: list[date] = []
        for leaf in leaves:
            if (read := form.read(leaf)) is None:
                break
            dates.append(read)
        if len(dates) == len(leaves):
            fits[form.name] = dates
        elif len(dates) > longest:
            longest, stranger, of_format = len(dates), leaves[len(dates)], form.name
    if not fits:
        _refuse(stranger, of_format if longest else "")
    by_day, by_month = fits.get(_DAY_FIRST.name), fits.get(_MONTH_FIRST.name)
    if by_day and by_month and by_day != by_month:
        unclear = next(leaf for leaf, one, two in zip(leaves, by_day, by_month, strict=True) if one != two)
        raise BadHierarchy(
            f"the date {unclear!r} may start with the day or with the month, and no other date of the column "
            "tells; say date(order=day) or date(order=month), or write YYYY-MM-DD"
        )
    return next(iter(fits.values()))


def _refuse(value: str, form: str) -> None:
    like = f" written {form} like the ones before it" if form else ""
    names = ", ".join(form.name for form in FORMATS)
    raise BadHierarchy(f"the value {value!r} is not a date{like}; write all of them in one of {names}")


def _hierarchy(leaves: list[str], dates: list[date], months: bool) -> Hierarchy:
    levels: list[list[Label]] = [[*leaves]]
    if months:
        if any(":" in leaf for leaf in leaves):  # times of one day meet on the day first
            levels.append([each.isoformat() for each in dates])
        levels.append([f"{each.year:04}-{each.month:02}" for each in dates])
        levels.append([f"{each.year:04}-Q{(each.month + 2) // 3}" for each in dates])
    levels.append([f"{each.year:04}" for each in dates])
    levels.append([f"{each.year // 10 * 10:04}-{each.year // 10 * 10 + 9:04}" for each in dates])
    return Hierarchy.of_levels(levels)
