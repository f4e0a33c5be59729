"""How far the noise of a law goes: expectation, tail and interval. Bounds are on the safe side."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from shoal.core.sampling.exact_probabilities import exp_bounds

# A scale may have been rounded up to a double, so that the tail is a hair longer than the fraction's.
HAIR = 1 + Fraction(1, 2**51)
_SUMMED = 4096  # up to this σ the discrete Gaussian law is added up; beyond it is the continuous one's


def laplace_tail(scale: Fraction, reach: int, bits: int = 256) -> Fraction:
    """A bound from above on P(noise ≥ reach) of the discrete Laplace law, for a reach of 1 or more.

    It is P = exp(-reach / scale) / (1 + exp(-1 / scale)), but for a hair and about 2^-bits.
    """
    wide = scale * HAIR
    far, ratio = exp_bounds(reach / wide, bits).high, exp_bounds(1 / wide, bits).low
    return Fraction(far, (1 << bits) + ratio)


def laplace_reach(scale: Fraction, chance: Fraction) -> int:
    """The smallest reach of 1 or more that noise attains with no more than a chance.

    Doubles guess, and whole numbers decide. Beyond a reach of 2^45 it is the smallest but for 2^-45 of
    itself.
    """
    bits = 192 + chance.denominator.bit_length()
    logarithm = math.log(chance.numerator) - math.log(chance.denominator)
    guess = -float(scale) * (logarithm + math.log1p(math.exp(-float(1 / scale))))
    step = max(1, math.ceil(abs(guess) * 2.0**-45))
    reach = max(1, math.ceil(guess) - step)
    while laplace_tail(scale, reach, bits) > chance:
        reach += step
    while reach > 1 and step == 1 and laplace_tail(scale, reach - 1, bits) <= chance:
        reach -= 1
    return reach


def laplace_error(scale: Fraction) -> float:
    """The expected size of discrete Laplace noise."""
    steep = float(1 / scale)
    return 0.0 if steep > 700 else 1 / math.sinh(steep)


@lru_cache(maxsize=1024)
def laplace_interval(scale: Fraction, confidence: Fraction) -> float:
    """The least w with P(|noise| ≤ w) ≥ confidence."""
    if 2 * laplace_tail(scale, 1) <= 1 - confidence:
        return 0.0
    return float(laplace_reach(scale, (1 - confidence) / 2) - 1)


@lru_cache(maxsize=1024)
def gaussian_error(variance: Fraction) -> float:
    """The expected size of discrete Gaussian noise."""
    sigma = math.sqrt(float(variance))
    if sigma > _SUMMED:
        return sigma * math.sqrt(2 / math.pi)
    weights = _gaussian_weights(sigma)
    return float((weights * np.arange(len(weights))).sum() / (weights.sum() - weights[0] / 2))


@lru_cache(maxsize=1024)
def gaussian_interval(variance: Fraction, confidence: Fraction) -> float:
    """A w with P(|noise| ≤ w) ≥ confidence: the least one up to σ = 4096, and at most 1 more beyond."""
    sigma = math.sqrt(float(variance))
    beyond = float(1 - confidence) * (1 - 1e-9)
    if sigma > _SUMMED:
        # P(discrete ≥ w + 1) ≤ P(continuous ≥ w): Canonne, Kamath, Steinke 2020.
        return float(math.ceil(-NormalDist().inv_cdf(beyond / 2) * sigma * (1 + 1e-9)))
    weights = _gaussian_weights(sigma)
    tails = np.cumsum(weights[::-1])[::-1]  # from each number on
    total = 2 * tails[0] - weights[0]
    return float(np.argmax(2 * np.append(tails[1:], 0.0) <= beyond * total))


@lru_cache(maxsize=64)
def _gaussian_weights(sigma: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """exp(-x² / 2σ²) for x = 0, 1 … until nothing is left."""
    numbers = np.arange(math.ceil(40 * sigma) + 2)
    return np.exp(-((numbers / sigma) ** 2) / 2)
