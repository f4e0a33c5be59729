"""How the cost of a question is divided among its draws of noise, and which noise that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from shoal.queries.answering.group_thresholds import threshold
from shoal.queries.declaration.declaration import Accounting
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.partition_selection import Selection
from shoal.queries.mechanisms.quantile import Quantile as PrivateQuantile
from shoal.queries.query import Quantile, Query


@dataclass(frozen=True)
class Shares:
    """Every part of a question gets the same; numbers that share one reach are one part.

    Under zCDP a question of ε costs ρ = ε²/2, so one of n parts gets ρ/n: Gaussian noise for numbers, for
    a threshold (which is private in ε) the ε' with ε'²/2 = ρ/n, and for a choice by the exponential
    mechanism, which has a bounded range, that with ε'²/8 = ρ/n.
    """

    accounting: Accounting
    epsilon: Fraction
    delta: Fraction
    parts: int

    @property
    def each(self) -> Fraction:
        """The ε of one part, never rounded up."""
        if self.accounting != "zcdp":
            return self.epsilon / self.parts
        scale = 10**15
        return self.epsilon * Fraction(math.isqrt(scale**2 // self.parts), scale)

    def portion(self, share: Fraction) -> Fraction:
        """The ε of a part that may cost so much of all, never rounded up."""
        if share == 1 or self.accounting != "zcdp":
            return self.epsilon * share
        scale = 10**15
        return self.epsilon * Fraction(math.isqrt(scale**2 * share.numerator // share.denominator), scale)

    def noise(self, reach: int, squared: int | None = None) -> Laplace | Gaussian:
        """Noise for numbers that one person moves by so much, in the Euclidean sense by √squared."""
        return _noise(self, reach, squared)

    def quantile(self, quantile: Quantile) -> PrivateQuantile:
        """The choice of a quantile."""
        # Under zCDP a choice of ε costs ε²/8: twice the ε of other noise at that price.
        epsilon = 2 * self.each if self.accounting == "zcdp" else self.each
        return PrivateQuantile(epsilon=epsilon, share=quantile.share, reach=quantile.reach)

    def selection(self, groups: int) -> Selection:
        """Which groups are large enough to be told."""
        return Selection(epsilon=self.each, delta=self.delta, groups=groups)

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
def _noise(shares: Shares, reach: int, squared: int | None) -> Laplace | Gaussian:
    if shares.accounting == "zcdp":
        # A root is rounded up.
        far = Fraction(reach) if squared is None else Fraction(math.isqrt(squared * 10**24) + 1, 10**12)
        sensitivity = min(Fraction(reach), far)
        return Gaussian(rho=shares.epsilon**2 / 2 / shares.parts, sensitivity=sensitivity)
    return Laplace(epsilon=shares.each, sensitivity=Fraction(reach))
