"""Parameters of mechanisms as exact fractions, checked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from shoal.core.errors import BadParameter

_EXTREME = 2**64


def settle(part: Any, **least: Fraction | None) -> None:
    """Turn parameters of a frozen part into fractions: above 0, or at least a given bound.

    0.1 becomes 1/10, as it was written, and not the double that is nearest to it.
    """
    for name, bound in least.items():
        value = exact(getattr(part, name), f"{part.name}({name}=…)")
        if value < bound if bound is not None else value <= 0:
            wanted = "above 0" if bound is None else f"of at least {bound}"
            raise BadParameter(f"{part.name} needs {name} {wanted}, not {fraction_text(value)}")
        if value and not Fraction(1, _EXTREME) <= value <= _EXTREME:
            raise BadParameter(f"{part.name} takes {name} between 2^-64 and 2^64, not {fraction_text(value)}")
        object.__setattr__(part, name, value)


def exact(value: Fraction | float | str, what: str) -> Fraction:
    """A number as it was written."""
    try:
        return Fraction(value if isinstance(value, Fraction | int) else str(value).strip())
    except (ValueError, ZeroDivisionError):
        raise BadParameter(f"{what}: '{value}' is not a number; write 0.5 or 1/2") from None


def whole(part: Any, **least: int) -> None:
    """Check that parameters are whole numbers of at least a bound."""
    for name, bound in least.items():
        value = getattr(part, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < bound:
            raise BadParameter(f"{part.name} needs {name} as a whole number of at least {bound}, not {value}")


def probability(value: Fraction | float | str, what: str) -> Fraction:
    """A probability between 0 and 1, neither included."""
    found = exact(value, what)
    if not 0 < found < 1:
        raise BadParameter(f"{what} must lie between 0 and 1, not {fraction_text(found)}")
    return found


def fraction_text(value: Fraction) -> str:
    """A fraction for people; one too large for a double stays a fraction."""
    try:
        return f"{float(value):g}"
    except OverflowError:
        return f"about 10^{len(str(int(value))) - 1}"
