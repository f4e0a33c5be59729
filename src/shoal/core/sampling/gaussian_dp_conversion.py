"""What a promise of Gaussian differential privacy (μ) is worth in ε and δ, and back: exactly, not by a bound.

A release is μ-GDP if telling two neighbours apart by it is no easier than telling N(0, 1) from N(μ, 1). This
is (ε, δ(ε))-differential privacy for every ε at once, with

    δ(ε) = Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2),

and no smaller δ (Dong, Roth & Su 2022, corollary 2.13; for the Gaussian mechanism Balle & Wang 2018, theorem
8, the "analytic" calibration). μ² adds up, also when every question is chosen after the answers before
(`queries/accounting/composition.py`).

A choice whose log-probabilities move within ε of each other (bounded range, Durfee & Rogers 2019) is no
easier to tell than two coins with logits ε apart: heads with p under the one neighbour and q under the other,
logit(p) - logit(q) = ε (Dong, Durfee & Rogers 2020). Their trade-off is two chords, and that of N(0, 1)
against N(μ, 1), being convex, lies below them where it does at the one corner: μ ≥ Φ⁻¹(p) - Φ⁻¹(q).
Φ⁻¹ of the logistic function is odd and bends down on the right (its slope Φ(x)Φ(-x)/φ(x) is largest in the
middle), so that the corner that asks for most is the symmetric one, p = 1 - q = 1 / (1 + e^{-ε/2}):
μ = 2 Φ⁻¹(1 / (1 + e^{-ε/2})), about 0.63 ε.

Roots and tails are held between fractions, and everything is rounded against the analyst.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from shoal.core.errors import BadParameter
from shoal.core.sampling.directed_rounding import exp_down, ln_down, ln_up, sqrt_down, sqrt_up
from shoal.core.sampling.normal_tail import tail_bounds

_HALVINGS = 70
# Doubles guess, and exact tails decide: so much on the safe side of the guess, or more where it was poor.
_SLACKS = [Fraction(1, 2**bits) for bits in (36, 28, 20, 12, 8, 4, 2, 1)]
_LARGE = 5000  # an ε beyond which δ is bounded by its first part
_FINEST = Fraction(1, 10**40)  # the least μ² that is told from nothing


def delta_of(squared: Fraction, epsilon: Fraction) -> Fraction:
    """The δ of √squared-GDP at an ε, not too small."""
    if squared < 0 or epsilon < 0:
        raise BadParameter(f"μ²={float(squared):g} and ε={float(epsilon):g} must not be below 0")
    if squared < _FINEST:
        squared = _FINEST if squared else Fraction(0)
    if not squared:
        return Fraction(0)
    # A larger μ is never more private: both arguments may be taken at a μ that is rounded up, if at the same.
    mu = sqrt_up(squared)
    near, far = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    # Leaving the second part out is on the safe side.
    rest = exp_down(epsilon) * tail_bounds(far)[0] if epsilon < _LARGE else Fraction(0)
    return min(Fraction(1), max(Fraction(0), tail_bounds(near)[1] - rest))


@lru_cache(maxsize=1024)
def epsilon_of(squared: Fraction, delta: Fraction) -> Fraction:
    """The ε of √squared-GDP at a δ, not too small."""
    _check(squared, delta)
    if not squared:
        return Fraction(0)
    # δ falls with ε, and above √(2 ln 1/δ) μ + μ²/2 it is less.
    mu, far = math.sqrt(squared), math.sqrt(2 * _log(1 / delta))
    guess = _halve(0.0, mu * far + mu * mu, lambda epsilon: _rough(mu, epsilon) <= float(delta))
    found = Fraction(guess)
    for slack in _SLACKS:
        found = Fraction(guess) * (1 + slack) + slack / 10**9
        if delta_of(squared, found) <= delta:
            return found
    while delta_of(squared, found) > delta:
        found *= 2
    return found


@lru_cache(maxsize=1024)
def squared_mu_for(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A μ², not too large, such that μ-GDP is (ε, δ)-differential privacy."""
    _check(epsilon, delta)
    if not epsilon:
        return epsilon
    # δ rises with μ.
    bound, least = float(epsilon), float(delta)
    high = 1.0
    while _rough(high, bound) <= least:
        high *= 2
    guess = _halve(0.0, high, lambda mu: _rough(mu, bound) > least)
    found = Fraction(guess) ** 2
    for slack in _SLACKS:
        found = Fraction(guess) ** 2 * (1 - slack)
        if delta_of(found, epsilon) <= delta:
            return found
    while delta_of(found, epsilon) > delta:
        found /= 2
    return found


@lru_cache(maxsize=1024)
def range_for(squared: Fraction) -> Fraction:
    """An ε, not too large, such that a choice of bounded range ε is √squared-GDP."""
    if squared <= 0:
        raise BadParameter(f"μ²={float(squared):g} buys no choice; it must be above 0")
    half = sqrt_down(squared) / 2
    high = tail_bounds(half)[1]
    return max(Fraction(0), 2 * (ln_down(1 - high) - ln_up(high)))


def _rough(mu: float, epsilon: float) -> float:
    """δ in doubles: a guess."""
    if not mu:
        return 0.0
    far = epsilon / mu + mu / 2
    # e^ε P(N > x), with both powers in one, because each by itself may be beyond all doubles.
    rest = (
        math.exp(epsilon - far * far / 2) / (far * math.sqrt(2 * math.pi))
        if far > 30
        else (math.exp(epsilon) * math.erfc(far / math.sqrt(2)) / 2)
    )
    return math.erfc((epsilon / mu - mu / 2) / math.sqrt(2)) / 2 - rest


def _halve(low: float, high: float, holds: Callable[[float], bool]) -> float:
    """About where something begins to hold."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


def _check(loss: Fraction, delta: Fraction) -> None:
    if loss < 0 or not 0 < delta < 1:
        raise BadParameter(
            f"ε or μ² of {float(loss):g} with δ={float(delta):g} makes no sense; 0 or more, δ between 0 and 1"
        )
