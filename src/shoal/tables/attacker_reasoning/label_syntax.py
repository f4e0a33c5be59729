"""What labels say by themselves: `476**`, `[20, 30)`, `< 18`, `90+`, `1975-Q2`, `1970-1979`, `{a, b}`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from math import inf
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

# Where values stand in a line: numbers, years, months and days by size, texts by length and then by how they
# start or how they end.
Axis = Literal["number", "year", "month", "day", "start", "end"]
TEXTUAL: tuple[Axis, ...] = ("start", "end")

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_DATE = r"\d{4}-\d{2}-\d{2}"
_BETWEEN = r"(?:,|;|\.\.|-|–|to|bis)"
_NUMBERS = re.compile(rf"([\[(])?\s*({_NUMBER})\s*{_BETWEEN}\s*({_NUMBER})\s*([\])])?")
_DATES = re.compile(rf"([\[(])?\s*({_DATE})\s*(?:,|;|\.\.| - |–|to|bis)\s*({_DATE})\s*([\])])?")
_ONE_END = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({_DATE}|{_NUMBER})")
_AND_MORE = re.compile(rf"({_NUMBER})\s*\+")
_MASK = re.compile(r"([^*]*)(\*+)|(\*+)([^*]+)")
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
_YEAR, _DECADE = re.compile(r"\d{4}"), re.compile(r"(\d{3}0)s")
_SET = re.compile(r"\{(.*)\}", re.DOTALL)
# A label without any of these signs is a plain value; there may be a million of them.
_SIGNS = r"[*{\[(<>≤≥+]|\.\.|\d\s*(?:[-–,;Q]|to|bis)|^\s*\d{4}\s*$|\d0s\s*$"
_PLAIN_DATE = r"^\d{4}-\d{2}-\d{2}$"


@dataclass(frozen=True)
class Span:
    """A stretch of an axis that a label covers; of texts, those of a length that start or end so."""

    axis: Axis
    low: float = 0
    high: float = 0
    above_low: bool = False
    below_high: bool = False
    text: str = ""
    length: int = 0

    def widened(self, by: float) -> Span:
        """The same stretch, longer on both ends."""
        return Span(self.axis, self.low - by, self.high + by, self.above_low, self.below_high)


@dataclass(frozen=True)
class Meaning:
    """What a label covers: stretches, and values that it names one by one."""

    spans: tuple[Span, ...] = ()
    members: tuple[str, ...] = ()


def meanings(labels: pl.Series) -> dict[int, Meaning]:
    """What labels say by themselves, by their place; a plain value says nothing more than itself."""
    speaking = labels.str.contains(_SIGNS) & ~labels.str.contains(_PLAIN_DATE)
    places = speaking.fill_null(False).arg_true()
    read = {
        place: _meaning(label) for place, label in zip(places, labels.gather(places).to_list(), strict=True)
    }
    return {place: meaning for place, meaning in read.items() if meaning.spans or meaning.members}


def unreadable(labels: pl.Series, values: pl.Series, known: Iterable[str | None] = ()) -> list[str]:
    """The labels of a column of numbers or dates that are neither, and say nothing: `65 and over`, `20s`.

    `values` are what people have, `known` the labels that a hierarchy explains. Where values are words, a
    label that nobody can read looks like a word that nobody on the list has; there only a hierarchy can tell.
    """
    own = values.drop_nulls().unique()
    axes: tuple[Axis, ...] = ("number", "day")
    if not len(own) or not any(np.isfinite(keys_on(axis, own)).all() for axis in axes):
        return []
    strange = labels.drop_nulls().unique()
    strange = strange.filter(~strange.is_in([*own.to_list(), *(name for name in known if name is not None)]))
    strange = strange.filter(~strange.str.contains(r"^\*+$")).sort()
    plain = np.logical_or.reduce([np.isfinite(keys_on(axis, strange)) for axis in axes])
    told = meanings(strange)
    return [label for place, label in enumerate(strange.to_list()) if place not in told and not plain[place]]


def _meaning(label: str) -> Meaning:
    text = label.strip()
    if found := _SET.fullmatch(text):
        return Meaning(members=tuple(member.strip() for member in found[1].split(",")))
    if (found := _MASK.fullmatch(text)) and (found[1] or found[4]):
        return Meaning((Span("start" if found[1] else "end", text=found[1] or found[4], length=len(text)),))
    if found := _MONTH.fullmatch(text):
        return _months(int(found[1]), int(found[2]), 1)
    if found := _QUARTER.fullmatch(text):
        return _months(int(found[1]), 3 * int(found[2]) - 2, 3)
    if _YEAR.fullmatch(text):
        return Meaning((Span("year", int(text), int(text)),))
    if found := _DECADE.fullmatch(text):
        return Meaning((Span("year", int(found[1]), int(found[1]) + 9),))
    if found := _DATES.fullmatch(text):
        return _between("day", day_of(found[2]), day_of(found[3]), found[1] == "(", found[4] == ")")
    if found := _NUMBERS.fullmatch(text):
        spans = _between("number", float(found[2]), float(found[3]), found[1] == "(", found[4] == ")").spans
        return Meaning(_of_years_too(spans, found[2], found[3]))
    if found := _ONE_END.fullmatch(text):
        axis: Axis = "day" if re.fullmatch(_DATE, found[2]) else "number"
        end = day_of(found[2]) if axis == "day" else float(found[2])
        if end is None:
            return Meaning()
        low, high = (-inf, end) if found[1][0] in "<≤" else (end, inf)
        return Meaning(_of_years_too((Span(axis, low, high, found[1] == ">", found[1] == "<"),), found[2]))
    if found := _AND_MORE.fullmatch(text):
        return Meaning((Span("number", float(found[1]), inf),))
    return Meaning()


def _months(year: int, month: int, many: int) -> Meaning:
    first = year * 12 + month - 1
    return Meaning((Span("month", first, first + many - 1),))


def _between(axis: Axis, low: float | None, high: float | None, above: bool, below: bool) -> Meaning:
    return Meaning() if low is None or high is None else Meaning((Span(axis, low, high, above, below),))


def _of_years_too(spans: tuple[Span, ...], *ends: str) -> tuple[Span, ...]:
    """`1970-1979` may speak of the years that dates are in."""
    if not all(_YEAR.fullmatch(end) for end in ends):
        return spans
    return (*spans, *(Span("year", s.low, s.high, s.above_low, s.below_high) for s in spans))


def day_of(text: str) -> float | None:
    """The number of a day in the calendar."""
    try:
        return float(date.fromisoformat(text[:10]).toordinal())
    except ValueError:
        return None


def in_days(span: Span) -> Span | None:
    """A stretch of years or months as the days in it; None where that makes no sense."""
    if span.axis == "day":
        return span
    if span.axis not in ("year", "month"):
        return None
    low, high = span.low + span.above_low, span.high - span.below_high
    each = 12 if span.axis == "year" else 1

    def start(months: float) -> float:
        return float(date(int(months // 12), int(months % 12) + 1, 1).toordinal())

    try:
        first = -inf if low == -inf else start(low * each)
        last = inf if high == inf else start((high + 1) * each) - 1
    except (ValueError, OverflowError):
        return None
    return Span("day", first, last)


def in_numbers(span: Span) -> Span | None:
    """A mask of digits as the whole numbers that it covers; None where that makes no sense."""
    if span.axis == "number":
        return span
    if span.axis != "start" or not span.text.isascii() or not span.text.isdigit():
        return None
    wide = 10 ** (span.length - len(span.text))
    return Span("number", int(span.text) * wide, (int(span.text) + 1) * wide - 1)


def keys_on(axis: Axis, values: pl.Series) -> NDArray[np.float64]:
    """Where values stand on an axis of numbers; not a number where they have no place on it."""
    how: dict[str, Callable[[], pl.Series]] = {
        "number": lambda: values.str.strip_chars().cast(pl.Float64, strict=False),
        "year": lambda: values.str.extract(r"^(\d{4})(?:$|[-/])", 1).cast(pl.Float64, strict=False),
        "month": lambda: _month_keys(values),
        "day": lambda: _day_keys(values),
    }
    return how[axis]().cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _month_keys(values: pl.Series) -> pl.Series:
    pattern = r"^(\d{4})-(\d{2})(?:$|-\d{2})"
    year, month = (values.str.extract(pattern, part).cast(pl.Float64, strict=False) for part in (1, 2))
    return year * 12 + month - 1


def _day_keys(values: pl.Series) -> pl.Series:
    days = values.str.extract(r"^(\d{4}-\d{2}-\d{2})", 1).str.to_date("%Y-%m-%d", strict=False)
    return days.to_physical() + date(1970, 1, 1).toordinal()


def text_keys(axis: Axis, values: Iterable[str]) -> list[tuple[int, str]]:
    """Where values stand on an axis of texts."""
    return [(len(value), value if axis == "start" else value[::-1]) for value in values]


def text_ends(span: Span) -> tuple[tuple[int, str], tuple[int, str]]:
    """The keys that a stretch of texts lies between."""
    start = span.text if span.axis == "start" else span.text[::-1]
    return (span.length, start), (span.length, start + "\U0010ffff" * (span.length - len(start) + 1))
