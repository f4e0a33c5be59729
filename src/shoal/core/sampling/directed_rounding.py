"""Logarithms, powers of e and roots of exact fractions, each rounded to the side that was asked for.

Decimal rounds ln, exp and sqrt to the nearest number of 60 digits; one step further is certainly on the right
side. The argument is rounded to the same side first, because all three rise with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

DIGITS = 60
REACH = 10_000  # powers of ten: what is smaller than that is rounded to it, or to nothing
_UP = Context(prec=DIGITS, rounding=ROUND_CEILING, Emax=REACH, Emin=-REACH)
_DOWN = Context(prec=DIGITS, rounding=ROUND_FLOOR, Emax=REACH, Emin=-REACH)


def ln_up(value: Fraction) -> Fraction:
    """Not less than the natural logarithm."""
    return _round(value, Decimal.ln, _UP)


def ln_down(value: Fraction) -> Fraction:
    """Not more than the natural logarithm."""
    return _round(value, Decimal.ln, _DOWN)


def exp_up(value: Fraction) -> Fraction:
    """Not less than e to the power of a value."""
    return _round(value, Decimal.exp, _UP)


def exp_down(value: Fraction) -> Fraction:
    """Not more than e to the power of a value."""
    return _round(value, Decimal.exp, _DOWN)


def sqrt_up(value: Fraction) -> Fraction:
    """Not less than the square root."""
    return _round(value, Decimal.sqrt, _UP)


def sqrt_down(value: Fraction) -> Fraction:
    """Not more than the square root, and not below nothing."""
    return max(Fraction(0), _round(value, Decimal.sqrt, _DOWN))


def double_up(value: Fraction) -> float:
    """The smallest double that is not less."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def _round(value: Fraction, function: Callable[..., Decimal], context: Context) -> Fraction:
    up = context is _UP
    # A context collects flags; a copy keeps threads out of each other's way.
    context = context.copy()
    argument = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    nearest = function(argument, context=context)
    if not nearest and function is not Decimal.exp:
        return Fraction(0)  # ln 1 and √0 are exact
    return Fraction(context.next_plus(nearest) if up else context.next_minus(nearest))
