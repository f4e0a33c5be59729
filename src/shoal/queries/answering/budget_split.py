"""How the cost of a question is divided among its draws of noise, and which noise that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.core.sampling.directed_rounding import sqrt_down
from shoal.core.sampling.gaussian_dp_conversion import range_for
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.answering.group_thresholds import Noise, threshold
from shoal.queries.declaration.declaration import Accounting
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.partition_selection import Selection
from shoal.queries.mechanisms.quantile import Quantile as PrivateQuantile
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian
from shoal.queries.query import Quantile, Query

_WINDOW = Fraction(1, 100)  # of what a quantile costs, where squares add up: how dense the rows are


@dataclass(frozen=True)
class Shares:
    """Every part of a question gets the same; numbers that share one reach are one part.

    Where squares add up (zCDP, pld), one of n parts gets ε²/n: normal noise of σ = reach · √n / ε for numbers
    and thresholds, discrete under zCDP and rounded under pld. A choice by the exponential mechanism has a
    bounded range: it may have the ε' with ε'²/8 = ε²/2n under zCDP, and under pld that whose μ is ε/√n.
    """

    accounting: Accounting
    epsilon: Fraction
    delta: Fraction
    parts: int

    @property
    def each(self) -> Fraction:
        """The ε of one part, never rounded up."""
        if not accounting_of(self.accounting).squared:
            return self.epsilon / self.parts
        scale = 10**15
        return self.epsilon * Fraction(math.isqrt(scale**2 // self.parts), scale)

    def portion(self, share: Fraction) -> Fraction:
        """The ε of a part that may cost so much of all, never rounded up."""
        if share == 1 or not accounting_of(self.accounting).squared:
            return self.epsilon * share
        scale = 10**15
        return self.epsilon * Fraction(math.isqrt(scale**2 * share.numerator // share.denominator), scale)

    def noise(self, reach: int | Fraction, squared: int | None = None) -> Noise:
        """Noise for numbers that one person moves by so much, in the Euclidean sense by √squared."""
        return _noise(self, reach, squared)

    def quantile(self, quantile: Quantile) -> PrivateQuantile:
        """The choice of a quantile."""
        if not accounting_of(self.accounting).squared:
            return PrivateQuantile(self.each, quantile.share, quantile.reach)
        value, window = (self._choice(self.each**2 * part) for part in (1 - _WINDOW, _WINDOW))
        return PrivateQuantile(value, quantile.share, quantile.reach, beside=window)

    def _choice(self, square: Fraction) -> Fraction:
        """The ε of a choice of bounded range that costs as much as normal noise of ε² = square."""
        if self.accounting.startswith("pld"):
            return range_for(square)
        return 2 * sqrt_down(square)  # costs (2ε)²/8 = ε²/2

    def kept(self, people: NDArray[np.int64], groups: int) -> Mask:
        """Which groups are large enough to be told, given the number of people in each."""
        if not accounting_of(self.accounting).squared:
            return Selection(epsilon=self.each, delta=self.delta, groups=groups).kept(people)
        noise = self.noise(groups, groups)
        return noise.release(people) >= threshold(noise, 1, 1, 1, groups, self.delta)

    def check_groups(self, groups: int) -> None:
        """Refuse a threshold that cannot be had, before anything is spent."""
        if not accounting_of(self.accounting).squared:
            _ = Selection(epsilon=self.each, delta=self.delta, groups=groups).threshold
        else:
            threshold(self.noise(groups, groups), 1, 1, 1, groups, self.delta)

    def threshold(self, query: Query) -> int:
        """How large the numbers of a crowd must be, in steps, for its group to be told."""
        assert query.crowd is not None
        crowd = query.crowd
        first = query.primitives[crowd.primitives[0]]
        noise = self.noise(first.reach, first.squared)
        return threshold(noise, len(crowd.primitives), crowd.width, crowd.most, query.groups, self.delta)


def divide(
    accounting: Accounting, epsilon: Fraction, delta: Fraction, leaves: Sequence[Query]
) -> tuple[Shares, ...]:
    """The shares of a question's private parts, which together cost no more than the question.

    Each gets as much as it has draws of noise; the δ goes to those that find groups in the data.
    """
    parts = sum(leaf.parts for leaf in leaves)
    finding = max(1, sum(leaf.discovered for leaf in leaves))
    return tuple(
        Shares(
            accounting,
            Shares(accounting, epsilon, delta, 1).portion(Fraction(leaf.parts, parts)),
            delta / finding if leaf.discovered else Fraction(0),
            leaf.parts,
        )
        for leaf in leaves
    )


@lru_cache(maxsize=1024)
def _noise(shares: Shares, reach: int | Fraction, squared: int | None) -> Noise:
    if accounting_of(shares.accounting).squared:
        # A root is rounded up.
        far = Fraction(reach) if squared is None else Fraction(math.isqrt(squared * 10**24) + 1, 10**12)
        sensitivity, each = min(Fraction(reach), far), shares.epsilon**2 / shares.parts
        if shares.accounting.startswith("pld"):
            return RoundedGaussian(squared_mu=each, sensitivity=sensitivity)
        return Gaussian(rho=each / 2, sensitivity=sensitivity)
    return Laplace(epsilon=shares.each, sensitivity=Fraction(reach))
