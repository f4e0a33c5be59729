"""What a promise in ρ (zCDP) is worth in ε and δ, and back.

Every order α > 1 gives a valid bound, so that the search for the best one may run in floating point: only the
bound at the order that was found is computed exactly, and rounded against the analyst.

Bun & Steinke 2016 has the simple form, ρ + 2√(ρ ln(1/δ)); Canonne, Kamath & Steinke 2020
(Proposition 12) the tighter one over the orders.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from shoal.core.errors import BadParameter
from shoal.core.sampling.directed_rounding import exp_up, ln_down, ln_up, sqrt_up

_ROUNDS = 200  # a golden section shrinks by a third every time; doubles are exhausted long before


def simple_epsilon(rho: Fraction, delta: Fraction) -> Fraction:
    """The ε of ρ-zCDP at a δ, not too small. Bun & Steinke 2016."""
    _check(rho, delta)
    return rho + 2 * sqrt_up(rho * ln_up(1 / delta)) if rho else rho


def epsilon_of(rho: Fraction, delta: Fraction) -> Fraction:
    """The ε of ρ-zCDP at a δ, not too small: the better of the two bounds. Canonne, Kamath & Steinke 2020."""
    _check(rho, delta)
    if not rho:
        return rho
    loss, spare = float(rho), _log(1 / delta)
    order = _best_order(
        lambda a: a * loss + math.log1p(-1 / a) + (spare - math.log(a)) / (a - 1), spare, loss
    )
    tight = order * rho + ln_up(1 - 1 / order) + ln_up(1 / (delta * order)) / (order - 1)
    return max(Fraction(0), min(tight, simple_epsilon(rho, delta)))


def delta_of(rho: Fraction, epsilon: Fraction) -> Fraction:
    """The δ of ρ-zCDP at an ε, not too small. Canonne, Kamath & Steinke 2020."""
    if rho < 0 or epsilon < 0:
        raise BadParameter(f"ρ={float(rho):g} and ε={float(epsilon):g} must not be below 0")
    if not rho:
        return Fraction(0)
    loss, bound = float(rho), float(epsilon)
    order = _best_order(
        lambda a: (a - 1) * (a * loss - bound + math.log1p(-1 / a)) - math.log(a), bound + 1.0, loss
    )
    power = (order - 1) * (order * rho - epsilon + ln_up(1 - 1 / order)) - ln_down(order)
    return Fraction(1) if power >= 0 else exp_up(power)


def rho_for(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A ρ, not too large, such that ρ-zCDP stays within (ε, δ). Canonne, Kamath & Steinke 2020."""
    _check(epsilon, delta)
    if not epsilon:
        return epsilon
    bound, spare = float(epsilon), _log(1 / delta)
    order = _best_order(
        lambda a: -(bound - math.log1p(-1 / a) - (spare - math.log(a)) / (a - 1)) / a,
        spare,
        min(bound, bound**2 / (4 * spare + 4)),  # about the ρ that is sought
    )
    tight = (epsilon - ln_up(1 - 1 / order) - ln_up(1 / (delta * order)) / (order - 1)) / order
    # (√(ε + ln 1/δ) - √(ln 1/δ))², in the form that loses no digits
    logarithm = ln_up(1 / delta)
    simple = (epsilon / (sqrt_up(epsilon + logarithm) + sqrt_up(logarithm))) ** 2
    return max(tight, simple)


def _check(loss: Fraction, delta: Fraction) -> None:
    if loss < 0 or not 0 < delta < 1:
        raise BadParameter(
            f"ε or ρ of {float(loss):g} with δ={float(delta):g} makes no sense; at least 0, δ between 0 and 1"
        )


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


def _best_order(bound: Callable[[float], float], spare: float, loss: float) -> Fraction:
    """About where a bound is smallest, as an exact fraction; a poor order is valid, only less tight."""
    guess = math.log(math.sqrt((spare + 1.0) / max(loss, 1e-300)))
    low, high = -5.0 + min(0.0, guess), 5.0 + max(0.0, guess)  # of ln(α - 1)
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(_ROUNDS):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if bound(1 + math.exp(left)) <= bound(1 + math.exp(right)):
            high = right
        else:
            low = left
    return 1 + Fraction(math.exp((low + high) / 2))
