"""The tail of the normal law, P(N > x), between two fractions.

Near the middle it is half less a series whose terms are all positive, x + x³/3 + x⁵/3·5 + …, times the
density; farther out the continued fraction of Laplace, whose steps lie by turns above and below (Abramowitz &
Stegun 1964, 26.2.11 and 26.2.14). Decimal rounds each step to 110 digits; the bounds are widened by far more
than all these roundings together.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

_CONTEXT = Context(prec=110, Emax=10**9, Emin=-(10**9))
_PI = Decimal(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"
)
_MIDDLE = 5  # up to here by the series: it loses 6 digits of 110, and needs some 150 terms
_STEPS = 200  # of the continued fraction: beyond 5 they agree to more than 25 digits
_FARTHEST = 1000  # where no more than 10^-217000 is left
_SLACK = Fraction(1, 10**90)


def tail_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """A fraction that is not above P(N > x), and one that is not below it."""
    if x < 0:
        low, high = tail_bounds(-x)
        return 1 - high, 1 - low
    if x > _FARTHEST:
        return Fraction(0), tail_bounds(Fraction(_FARTHEST))[1]
    context = _CONTEXT.copy()  # a context collects flags; threads must not share one
    at = context.divide(Decimal(x.numerator), Decimal(x.denominator))
    square = context.multiply(at, at)
    density = context.divide(
        context.exp(context.divide(square, Decimal(-2))), context.sqrt(context.multiply(Decimal(2), _PI))
    )
    if at <= _MIDDLE:
        middle = Fraction(1, 2) - Fraction(context.multiply(density, _series(at, square, context)))
        return max(Fraction(0), middle - _SLACK), middle + _SLACK
    one, other = (Fraction(context.divide(density, _fraction(at, depth, context))) for depth in (0, 1))
    return min(one, other) * (1 - _SLACK), max(one, other) * (1 + _SLACK)


def _series(at: Decimal, square: Decimal, context: Context) -> Decimal:
    """x + x³/3 + x⁵/3·5 + …, until what follows is below every digit kept."""
    total, term, odd = at, at, 1
    while term and term.adjusted() > -context.prec:
        odd += 2
        term = context.divide(context.multiply(term, square), Decimal(odd))
        total = context.add(total, term)
    return total


def _fraction(at: Decimal, more: int, context: Context) -> Decimal:
    """x + 1/(x + 2/(x + 3/(x + …))), cut off after an even or an odd number of steps."""
    found = at
    for step in range(_STEPS + more, 0, -1):
        found = context.add(at, context.divide(Decimal(step), found))
    return found
