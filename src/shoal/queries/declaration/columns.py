"""Columns that may be asked about: their kinds, bounds and keys."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from shoal.core.errors import BadParameter
from shoal.queries.declaration.days import FIRST, LAST, day_of_number

Kind = Literal["integer", "number", "text", "boolean", "date", "timestamp"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Value = str | int | float | bool | None

LARGEST = 2**52  # beyond it not every whole number has a double of its own
STEPS = 2**30  # into how many steps the reach of a number is cut; its square still fits into 64 bits
NAME = re.compile(r"[^\W\d]\w{0,62}")


@dataclass(frozen=True)
class Column:
    """A column that may be asked about.

    Numbers have bounds, because the noise on a sum is made for them; a value outside counts as the bound.
    Those of dates and timestamps are days since 1970, the last one with all its hours. Keys are all values
    that may be shown as groups; any other value counts as missing. A number that is never null has a value in
    every row: where the data have none, it counts as the one nearest to 0 within the bounds.
    """

    name: str
    kind: Kind = "text"
    low: float | None = None
    high: float | None = None
    keys: tuple[str | int, ...] | None = None
    missing: bool = True  # whether the missing values are a group of their own
    never_null: bool = False

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise BadParameter(
                f"'{self.name}' cannot be asked for by name; rename the column to letters, digits and _"
            )
        if self.kind not in KINDS:
            raise BadParameter(f"column '{self.name}' has kind '{self.kind}'; there is {', '.join(KINDS)}")
        for bound in (self.low, self.high):
            if bound is not None and not (math.isfinite(bound) and abs(bound) <= LARGEST):
                raise BadParameter(
                    f"bound {bound:g} of '{self.name}' is beyond ±{LARGEST:.2g}; choose a tighter one"
                )
        if (self.low is None) != (self.high is None):
            raise BadParameter(f"column '{self.name}' has one bound only; give both, as in {self.name}=0:120")
        if self.low is not None and self.high is not None:
            if self.kind in ("text", "boolean"):
                raise BadParameter(
                    f"column '{self.name}' of kind {self.kind} takes no bounds; declare it as number"
                )
            if self.temporal and not all(
                bound.is_integer() and FIRST <= bound <= LAST for bound in map(float, (self.low, self.high))
            ):
                raise BadParameter(
                    f"bounds of '{self.name}' are no days from 0001 to 9999; write them as 2020-01-01"
                )
            if self.low >= self.high:
                raise BadParameter(
                    f"bounds {self.low:g}:{self.high:g} of '{self.name}' leave no room; write low:high"
                )
        if self.never_null and (not self.coded or self.keys is not None):
            raise BadParameter(
                f"column '{self.name}' cannot be declared never null, only a number with bounds and without "
                "keys: a missing value counts as the one nearest to 0 within the bounds"
            )
        if self.keys is not None:
            if self.kind not in ("text", "integer"):
                raise BadParameter(
                    f"column '{self.name}' of kind {self.kind} takes no keys; only text and integer do"
                )
            if not self.keys or len({repr(key) for key in self.keys}) < len(self.keys):
                raise BadParameter(f"the keys of '{self.name}' are empty or name one twice; list each once")
            for key in self.keys:
                if not _fits(key, self.kind):
                    raise BadParameter(f"key {key!r} of '{self.name}' is not of its kind, {self.kind}")

    @property
    def bounded(self) -> bool:
        """Whether it has bounds: then sums and averages of numbers can be answered, and the least of days."""
        return self.low is not None

    @property
    def temporal(self) -> bool:
        """Whether it holds dates or timestamps."""
        return self.kind in ("date", "timestamp")

    @property
    def bounds(self) -> tuple[float | str, float | str] | None:
        """The bounds as they are written: numbers, or days such as 2024-01-31."""
        if self.low is None or self.high is None:
            return None
        if self.temporal:
            return day_of_number(self.low).isoformat(), day_of_number(self.high).isoformat()
        return self.low, self.high

    @property
    def coded(self) -> bool:
        """Whether a store holds it as whole steps of a grid."""
        return self.bounded and not self.temporal

    @property
    def grid(self) -> Fraction:
        """The step in which a bounded number is held: 1 for whole ones, else a power of two."""
        return Fraction(1) if self.kind == "integer" else grid_for(self.low or 0.0, self.high or 0.0)


def _fits(key: object, kind: Kind) -> bool:
    """Whether a key can be stored: plain text without NUL or halves of signs, a whole number of 64 bits."""
    if kind == "text":
        return (
            isinstance(key, str) and "\0" not in key and not any("\ud800" <= sign <= "\udfff" for sign in key)
        )
    return isinstance(key, int) and not isinstance(key, bool) and -(2**63) <= key < 2**63


def grid_for(low: float, high: float) -> Fraction:
    """The power of two that cuts the larger of two bounds into about a thousand million steps."""
    reach = max(abs(low), abs(high))
    return Fraction(2) ** (math.frexp(reach)[1] - 30) if reach else Fraction(1)
