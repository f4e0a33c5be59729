"""A hierarchy for a column when nobody gave one, guessed from its name and its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import polars as pl

from shoal.core.errors import BadHierarchy
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.hierarchies.dates import of_dates, of_years
from shoal.tables.hierarchies.exact_numbers import digits_of, number_of, scale_to_integers
from shoal.tables.hierarchies.flat import flat
from shoal.tables.hierarchies.hierarchy import Hierarchy
from shoal.tables.hierarchies.intervals import of_width
from shoal.tables.hierarchies.masks import masked
from shoal.tables.model_inputs.text_values import texts

_CODE_NAME = re.compile(
    r"zip|plz|postal|post.?code|postleitzahl|(^|[^a-z])(icd|cpt|atc)([^a-z]|$)", re.IGNORECASE
)
_DIGITS = re.compile(r"\d+", re.ASCII)
_CODE = re.compile(r"[A-Z]{1,4}[-.]?\d[\dA-Z]*([.-][\dA-Z]+)*", re.ASCII | re.IGNORECASE)
_LONGEST_CODE = 40
_STEPS = 10  # masks of long codes hide several characters per level: a tall hierarchy only slows the search
_INTERVALS = 20  # on the first level
_LEVELS = 8  # enough to join 20 intervals, and some more for far-away values
# Signs for "not known" in a column of something else. They are values that stay themselves up to `*`.
_MARKS = frozenset(
    [
        "",
        "?",
        "-",
        "--",
        ".",
        "*",
        "na",
        "n/a",
        "nan",
        "null",
        "none",
        "nil",
        "unknown",
        "missing",
        "unbekannt",
        "k.a.",
    ]
)


SHOWN = 20


@dataclass(frozen=True)
class Suggestion(Shown):
    """A hierarchy, and in a word or two why this one."""

    hierarchy: Hierarchy
    reason: str

    def to_json(self) -> dict[str, Json]:
        """The hierarchy, one list of labels per value."""
        return {
            "reason": self.reason,
            "height": self.hierarchy.height,
            "leaves": len(self.hierarchy.leaves),
            "ladder": [list(labels) for labels in zip(*self.hierarchy.levels(), strict=True)],
        }

    def to_tables(self) -> Tables:
        """The first values and their labels on every level."""
        header = [f"level {level}" for level in range(self.hierarchy.height + 1)]
        lines = zip(*(level[:SHOWN] for level in self.hierarchy.levels()), strict=True)
        return {
            self.reason: [header, *(["" if label is None else label for label in line] for line in lines)]
        }


def suggest(column: pl.Series, name: str) -> Suggestion:
    """Dates, codes, numbers or categories: whichever all values agree on, marks for "not known" aside."""
    values = texts(column).drop_nulls().unique().sort().to_list()
    if not values:
        return Suggestion(Hierarchy.of_levels([[None]]), "no values")
    known = [value for value in values if value.strip().lower() not in _MARKS]
    suggestion = _of_known(known, column.dtype, name) if known else Suggestion(flat(values), "categories")
    hierarchy = suggestion.hierarchy.with_alone(values)
    if column.null_count():
        hierarchy = hierarchy.with_missing_value()
    return Suggestion(hierarchy, suggestion.reason)


def _of_known(values: Sequence[str], dtype: pl.DataType, name: str) -> Suggestion:
    for build, reason in _DATES:
        try:
            return Suggestion(build(values), reason)
        except BadHierarchy:
            continue
    if reason := _why_code(values, dtype, name):
        step = -(-max(map(len, values)) // _STEPS)
        return Suggestion(masked(values, step=step), reason)
    numbers = [number for value in values if (number := number_of(value)) is not None]
    if len(numbers) == len(values) and len(set(numbers)) > 2:
        return Suggestion(of_width(values, _round_width(numbers), levels=_LEVELS), "numbers")
    return Suggestion(flat(values), "categories")


_DATES: tuple[tuple[Callable[[Sequence[str]], Hierarchy], str], ...] = (
    (of_dates, "dates"),
    (of_years, "dates, day and month unclear"),
)


def _why_code(values: Sequence[str], dtype: pl.DataType, name: str) -> str:
    """Why the values are codes, or nothing."""
    if dtype.is_float() or dtype.is_decimal() or max(map(len, values)) > _LONGEST_CODE:
        return ""
    digits = all(map(_DIGITS.fullmatch, values))
    if _CODE_NAME.search(name) and all(any(sign.isdigit() for sign in value) for value in values):
        return "codes, judged by the column name"
    if digits and any(len(value) > 1 and value[0] == "0" for value in values):
        return "leading zeros"
    if digits and len(set(map(len, values))) == 1 and len(values[0]) >= 5:
        return "digits of one length"
    if all(map(_CODE.fullmatch, values)):
        return "codes"
    return ""


def _round_width(numbers: Sequence[Decimal]) -> Decimal:
    """The first of 1, 2, 5, 10, 20 … that cuts the bulk of the numbers into few enough intervals."""
    points = sorted(set(numbers))
    # A few far-away values must not stretch the first level until all others share one interval.
    tail = len(points) // 50
    spread = points[-1 - tail] - points[tail]
    least = spread / _INTERVALS
    exponent = least.adjusted()
    for factor in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        width = Decimal(factor).scaleb(exponent)
        # A first level that joins nothing would only repeat the values.
        if width >= least and _intervals(points, width) < len(points):
            break
    return width


def _intervals(points: Sequence[Decimal], width: Decimal) -> int:
    digits = digits_of([*points, width])
    (wide,) = scale_to_integers([width], digits)
    return len({point // wide for point in scale_to_integers(points, digits)})
