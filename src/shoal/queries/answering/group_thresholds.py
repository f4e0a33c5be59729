"""How large a noisy number must be for a group that is found in the data to be named.

All numbers of all groups have their noise, and those of a group are told when one of them, or the sum of a
few, passes a threshold: the numbers are the answer at the same time, nothing is thrown away. Say D has one
person more than D'. Leave out the groups that only this person is in: then everything told of D is made of
noisy numbers of the other groups, which cost ε (or ρ) as if there were no threshold. Let b be the chance that
a group of this person alone passes. Its noise is independent of all other noise, so that M(D) differs from
what is told of the other groups with chance b, and

    P(M(D) ∈ S) ≤ e^ε P(M(D') ∈ S) + b,    P(M(D') ∈ S) ≤ e^ε P(M(D) ∈ S) / (1 - b),

the latter being at most e^ε P(M(D) ∈ S) + b / (1 - b), since probabilities end at 1. The threshold is the
least for which b / (1 - b) ≤ δ is proved.

Korolova, Kenthapadi, Mishra, Ntoulas 2009; Wilson et al. 2020; for zCDP Bun & Steinke 2016, section 8. Of
Gaussian differential privacy the same holds, with the δ of the other groups added on both sides. The optimum
of Desfontaines, Voss, Gipson, Mandayam 2020 names hardly more groups and tells no number of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from shoal.core.sampling.exact_probabilities import exp_bounds
from shoal.core.sampling.noise_accuracy import HAIR, laplace_tail
from shoal.core.sampling.normal_tail import tail_bounds
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian

Noise = Laplace | Gaussian | RoundedGaussian
_BITS = 256
# P(sum of k Laplace variables of scale 1 ≥ y) = exp(-y) · polynomial(y), by integrating their densities.
_POLYNOMIALS: dict[int, tuple[Fraction, ...]] = {
    2: (Fraction(2, 4), Fraction(1, 4)),
    3: (Fraction(8, 16), Fraction(5, 16), Fraction(1, 16)),
    4: (Fraction(48, 96), Fraction(33, 96), Fraction(9, 96), Fraction(1, 96)),
}


@lru_cache(maxsize=1024)
def threshold(noise: Noise, numbers: int, width: int, most: int, groups: int, delta: Fraction) -> int:
    """The least sum of so many noisy numbers, in steps, that names a group.

    Somebody adds `width` steps for each row, has up to `most` rows in a group, and is in up to `groups`
    groups; where `most` is above 1 it is the number of all rows of a person, too.
    """
    allowed = delta / (1 + delta)
    if isinstance(noise, RoundedGaussian):
        tail = _rounded(noise, numbers)
    else:
        tail = _laplace(noise, numbers) if isinstance(noise, Laplace) else _gaussian(noise, numbers)

    def passes(at: int) -> bool:
        """Tails are convex, so that the worst is one large group, or as many small ones as there can be."""
        one, small = tail(at - most * width), tail(at - width)
        last = tail(at - max(1, most - groups + 1) * width)
        return max(one, last + (groups - 1) * small) <= allowed

    low, high = most * width, 2 * most * width + 64
    while not passes(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def _laplace(noise: Laplace, numbers: int) -> Callable[[int], Fraction]:
    """A bound on the tail of a sum of discrete Laplace noise.

    Such noise is the difference of two geometric numbers, and those are exponential ones rounded down: so it
    is less than one more than the continuous noise made of these, and a sum of k less than k more.
    """
    if numbers == 1:
        return lambda reach: laplace_tail(noise.scale, reach) if reach >= 1 else Fraction(1)
    scale, polynomial = noise.scale * HAIR, _POLYNOMIALS[numbers]

    def tail(reach: int) -> Fraction:
        # Cut to a multiple of 2^-32, down: fractions stay short, and the tail only longer.
        far = Fraction(math.floor((reach - numbers) / scale * 2**32), 2**32)
        if far <= 0:
            return Fraction(1)
        power = Fraction(exp_bounds(far, _BITS).high, 1 << _BITS)
        return power * sum(weight * far**place for place, weight in enumerate(polynomial))

    return tail


def _gaussian(noise: Gaussian, numbers: int) -> Callable[[int], Fraction]:
    """A bound on the tail of a sum of discrete Gaussian noise.

    It is sub-Gaussian: exp(-x² / 2kσ²) for a sum of k. For one number P(X ≥ x + 1) is at most that of the
    continuous law beyond x (Canonne, Kamath, Steinke 2020), which is at most the density over x.
    """

    def tail(reach: int) -> Fraction:
        if reach <= 0:
            return Fraction(1)
        wide = noise.variance * HAIR**2
        found = _exp(Fraction(reach) ** 2 / (2 * numbers * wide))
        if numbers == 1 and reach > 1:
            # σ / x √2π, with σ/x rounded up and 2.5 below √2π
            ratio = Fraction(math.isqrt(math.ceil(wide / (reach - 1) ** 2 * 2**64)) + 1, 2**32)
            found = min(found, _exp(Fraction(reach - 1) ** 2 / (2 * wide)) * ratio * Fraction(2, 5))
        return found

    return tail


def _rounded(noise: RoundedGaussian, numbers: int) -> Callable[[int], Fraction]:
    """A bound on the tail of a sum of rounded normal noise: each is at most half more than it was before."""
    # σ √numbers, rounded up
    wide = Fraction(math.isqrt(math.ceil(noise.variance * numbers * 2**64)) + 1, 2**32)

    def tail(reach: int) -> Fraction:
        far = Fraction(math.floor((reach - Fraction(numbers, 2)) / wide * 2**32), 2**32)
        return Fraction(1) if far <= 0 else tail_bounds(far)[1]

    return tail


def _exp(power: Fraction) -> Fraction:
    """exp(-power), not too small."""
    short = Fraction(math.floor(power * 2**32), 2**32)
    return Fraction(exp_bounds(short, _BITS).high, 1 << _BITS)
