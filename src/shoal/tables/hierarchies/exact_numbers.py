"""Texts as exact numbers. Binary floats would print a cut at 0.3 as 0.30000000000000004."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from shoal.core.errors import BadHierarchy, BadParameter

_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?\s*", re.ASCII)
_LARGEST = 300  # digits before or after the point: what a float can hold, so nothing explodes
_LONGEST = 400
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)  # shifting the point never rounds

Number = int | float | str | Decimal


def number_of(text: str) -> Decimal | None:
    """The number a text stands for, or None when it is no number."""
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    number = Decimal(text)
    return number if not number or abs(number.adjusted()) <= _LARGEST else None


def numbers_of(texts: Iterable[str]) -> list[Decimal]:
    """Every text as a number; the first that is none is refused."""
    numbers = []
    for text in texts:
        number = number_of(text)
        if number is None:
            raise BadHierarchy(
                f"the value {text!r} is not a number, so no interval holds it; correct it, leave it empty, "
                "or choose another hierarchy"
            )
        numbers.append(number)
    return numbers


def parameter(name: str, value: Number) -> Decimal:
    """A number given as a parameter; a float means the digits it prints."""
    number = number_of(str(value))
    if number is None:
        raise BadParameter(f"{name}={value} is not a number; give one such as 5 or 0.5")
    return number


def digits_of(numbers: Iterable[Decimal]) -> int:
    """How many digits after the point it takes to write all the numbers."""
    return max((-int(number.normalize(_EXACT).as_tuple().exponent) for number in numbers), default=0)


def scale_to_integers(numbers: Iterable[Decimal], digits: int) -> list[int]:
    """The numbers as whole multiples of 10^-digits: integers of any size divide without rounding."""
    return [int(number.scaleb(digits, _EXACT)) for number in numbers]


def decimal_text(whole: int, digits: int) -> str:
    """A whole multiple of 10^-digits as people write it: 30, not 30.0 or 3E+1."""
    return format(Decimal(whole).scaleb(-digits, _EXACT).normalize(_EXACT), "f")
