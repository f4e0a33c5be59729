"""Plain values, looked at before they are believed: each refusal shows the value and what would do."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar, cast

from shoal.core.errors import BadParameter
from shoal.engines.frames import quote_value
from shoal.queries.declaration.days import number_of_day, span_of_days

_DIGITS = "[0-9]{1,400}"
_FIGURE = re.compile(
    rf"[+-]?({_DIGITS}(\.[0-9]{{0,400}})?|\.{_DIGITS})([eE][+-]?[0-9]{{1,3}})?|{_DIGITS}/{_DIGITS}"
)
BOUNDS = re.compile(r"([^.:]\S*?|\.\d\S*?)\s*(?:\.\.|:)\s*(\S+)")

T = TypeVar("T")


def ends_of(name: str, given: str | Sequence[float] | None) -> tuple[float | None, float | None]:
    """Two bounds, as in 0:120 or 0..120."""
    if given is None:
        return (None, None)
    if isinstance(given, str):
        found = BOUNDS.fullmatch(given.strip())
        ends: Sequence[object] = found.groups() if found else ()
    else:
        ends = given
    if len(ends) != 2:
        raise BadParameter(
            f"bounds {quote_value(given)} of '{name}' are not two numbers; write them as 0:120"
        )
    return (bound_of(name, ends[0]), bound_of(name, ends[1]))


def days_of(name: str, given: object) -> tuple[float | None, float | None]:
    """Two bounds of a date or timestamp, as in 2020-01-01..2024-12-31 or as two days."""
    if given is None:
        return (None, None)
    ends: object = span_of_days(given) if isinstance(given, str) else given
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        raise BadParameter(
            f"bounds {quote_value(given)} of '{name}' are not two days; write them as 2020-01-01..2024-12-31"
        )
    return (day_bound(name, ends[0]), day_bound(name, ends[1]))


def day_bound(name: str, given: object) -> float | None:
    """One bound of a date or timestamp: a day of the calendar, as days since 1970."""
    if given is None:
        return None
    number = number_of_day(given)
    if number is None:
        raise BadParameter(f"bound {quote_value(given)} of '{name}' is no day; write it as 2024-01-31")
    return float(number)


def bound_of(name: str, given: object) -> float | None:
    """One bound: a finite number."""
    if given is None:
        return None
    try:
        if isinstance(given, bool) or not isinstance(given, int | float | str):
            raise ValueError
        bound = float(given)
    except (ValueError, OverflowError):
        bound = math.nan
    if not math.isfinite(bound):
        raise BadParameter(f"bound {quote_value(given)} of '{name}' is no number; write it as 120 or 0.5")
    return bound


def figure(told: Mapping[str, Any], key: str, where: str, missing: Fraction | None = None) -> Fraction:
    """A figure without the rounding of floats: 0.1 is a tenth, as it was written."""
    given = told.get(key)
    if given is None and missing is not None:
        return missing
    if isinstance(given, int | float | str | Fraction) and not isinstance(given, bool):
        try:
            text = str(given).strip()
            if _FIGURE.fullmatch(text):  # also keeps 1e999999999 from filling the memory
                return Fraction(text)
        except (ValueError, ZeroDivisionError):
            pass
    told_as = "is not given" if given is None else f"is {quote_value(given)}"
    raise BadParameter(f"{key} of {where} {told_as}; give a number, as in {key} = 0.5")


def fraction_text(figure: Fraction) -> str:
    """As a short decimal where there is an exact one, else as a fraction."""
    for digits in range(31):
        scaled = figure * 10**digits
        if scaled.denominator == 1:
            text = f"{abs(scaled.numerator):0{digits + 1}d}"
            sign = "-" if figure < 0 else ""
            return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)
    return str(figure)


def check_names(given: object, names: Sequence[str], where: str) -> Mapping[str, Any]:
    """A table of settings with none but known names."""
    if not isinstance(given, Mapping):
        raise BadParameter(
            f"{where} is {quote_value(given)}; give a table of settings with {', '.join(names)}"
        )
    for name in given:
        if name not in names:
            raise BadParameter(f"{where} has no setting {quote_value(name)}; it has {', '.join(names)}")
    return given


def settings_in(told: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """A table inside a table."""
    given = told.get(key)
    if not isinstance(given, Mapping):
        raise BadParameter(
            f"{where} has {'no ' + key if given is None else quote_value(given)}; list its {key} by name"
        )
    return given


def require(told: Mapping[str, Any], key: str, where: str, kind: type[T]) -> T:
    """A setting that must be there."""
    if told.get(key) is None:
        raise BadParameter(f"{where} has no {key}; add it")
    return check_kind(told, key, where, kind, cast(T, None))


def check_kind(told: Mapping[str, Any], key: str, where: str, kind: type[T], missing: T) -> T:
    """A setting of one kind, or what stands for a missing one."""
    given = told.get(key)
    if given is None:
        return missing
    if not isinstance(given, kind) or (kind is int and isinstance(given, bool)):
        wanted = {str: "a text", int: "a whole number", bool: "true or false"}.get(kind, "a table")
        raise BadParameter(f"{key} of {where} is {quote_value(given)}; give {wanted}")
    return given
