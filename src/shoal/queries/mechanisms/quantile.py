"""Quantiles by the exponential mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mechanism
from shoal.core.errors import BadParameter
from shoal.core.sampling.choice import exact_choice
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers

_MISS = 40  # each end of the interval misses with a probability of 1/40: 95 % for both
_MOST = 2**40  # rows; times the finest denominator they fit 64 bits
_FINEST = 10**6


@dataclass(frozen=True)
class QuantileChoice:
    """A step, and two between which the true one lies with 95 %."""

    value: int
    low: int
    high: int


@dataclass(frozen=True)
class Quantile(Mechanism[NDArray[np.int64], QuantileChoice]):
    """The step of a range that a share of the rows lies below, with a 95 % interval: ε-differential privacy.

    Somebody has at most `reach` rows. The score of a step is how many rows its rank is away from the rank
    asked for, and steps are chosen by the exponential mechanism. Half of ε buys the value, a quarter each
    end of the interval: these aim at ranks shifted outward by the error that is exceeded once in 40 times,
    and a bound of the range counts as holding rows enough, so that the interval holds with 95 % even when
    there are few rows.

    A share of 0 or 1 (the least, the greatest) would fly to the bound of the range, since nothing holds it:
    the value then aims that error inside, at the price of a bias of so many rows. The interval does not.

    McSherry, Talwar, "Mechanism design via differential privacy", 2007; for quantiles Smith 2011.
    """

    name: ClassVar[str] = "quantile"
    example: ClassVar[str] = "epsilon=0.5"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((2, 1, 0, 1), (2, 1, 0, 2))

    epsilon: Fraction
    share: Fraction = Fraction(1, 2)
    reach: int = 1

    def __post_init__(self) -> None:
        settle(self, epsilon=None, share=Fraction(0))
        whole(self, reach=1)
        if self.share > 1:
            raise BadParameter(f"quantile needs a share from 0 to 1, not {float(self.share):g}")
        if self.share.denominator > _FINEST:
            raise BadParameter(f"quantile takes shares of six digits at most, not {float(self.share)!r}")
        if self.rank_error(_MOST, Fraction(1, 4)) >= _MOST:
            raise BadParameter(f"epsilon {float(self.epsilon):g} is too small for a quantile; raise it")

    @property
    def sensitivity(self) -> int:
        """How far a score moves with one person, in rows times the denominator of the share."""
        p, q = self.share.numerator, self.share.denominator
        return self.reach * max(p, q - p)

    def rank_error(self, steps: int, part: Fraction = Fraction(1, 2)) -> int:
        """By how many rows a pick that gets a part of ε is off, but for one time in 40."""
        # At least one step has the best score, and each of the others falls short of it with exp(-rate ·
        # score).
        rate = float(self._rate(part)) * self.share.denominator
        return math.ceil(math.log(_MISS * (steps + 2)) / rate * (1 + 1e-9))

    def release(self, counts: NDArray[np.int64]) -> QuantileChoice:
        """A step and its interval, given the number of rows in each step."""
        if not counts.size:
            raise BadParameter("there is no step to choose from; give the number of rows in at least one")
        counts = integers(counts, 0)
        p, q, quarter = self.share.numerator, self.share.denominator, Fraction(1, 4)
        value = exact_choice(self.scores(counts, self._inside(counts.size)), self._rate(2 * quarter))
        shift = 1 + self.rank_error(counts.size, quarter)
        padded = np.concatenate(([shift], counts, [shift]))
        # With made-up rows at both ends these are the ranks share · n - shift and share · n + shift of the
        # real.
        low, high = (
            # A bound made up for the interval is the first or the last step.
            min(max(exact_choice(self.scores(padded, by), self._rate(quarter)) - 1, 0), counts.size - 1)
            for by in (-2 * shift * p, 2 * shift * (q - p))
        )
        # Putting them in order looks at nothing but what is told anyway.
        return QuantileChoice(value, min(low, value), max(high, value))

    def scores(self, counts: NDArray[np.int64], shift: int = 0) -> NDArray[np.int64]:
        """How far each step is from the rank asked for; all in rows times the denominator, the shift too."""
        p, q = self.share.numerator, self.share.denominator
        # More rows than fit 64 bits with the denominator are added up without an end to the digits.
        exact = counts if int(counts.max()) * counts.size <= _MOST else counts.astype(object)
        upto = np.cumsum(exact)
        target = p * int(upto[-1]) + shift
        away = np.maximum(q * (upto - exact) - target, target - q * upto)
        return integers(away, 0)

    def _rate(self, part: Fraction) -> Fraction:
        return self.epsilon * part / (2 * self.sensitivity)

    def _inside(self, steps: int) -> int:
        """How far from the end a least or greatest value is sought."""
        return {Fraction(0): 1, Fraction(1): -1}.get(self.share, 0) * self.rank_error(steps)
