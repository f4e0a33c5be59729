"""The normal law, rounded to whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from shoal.core.sampling.exact_probabilities import exp_bounds
from shoal.core.sampling.gaussian import DiscreteGaussian
from shoal.core.sampling.random_bytes import Source

BELOW = 4  # bytes behind the point that are drawn at first
WIDTH = 8  # bytes of the coin that are drawn at first


@dataclass(frozen=True)
class RoundedNormal:
    """N(0, σ²) rounded to the nearest whole number.

    A whole number plus such noise is a continuous normal number around it, rounded: what is proved of the
    normal law holds for it, in any number of dimensions. Its size is k · 2^r + y, where 2^r is the largest
    power of two up to σ (or 1). k comes from the table of the discrete law, y is evenly spread from 0 to 2^r,
    and both are kept with the probability exp(-y (2 k 2^r + y) / 2σ²). y and the coin are drawn digit by
    digit, as many as it takes to know how the coin falls; of y behind the point only the first digit is told.

    Karney, "Sampling exactly from the normal distribution", 2016.
    """

    variance: Fraction

    @cached_property
    def steps(self) -> DiscreteGaussian:
        """The law of the coarse step."""
        return DiscreteGaussian(self.variance)

    @property
    def shift(self) -> int:
        """r: the fine step has so many digits before the point."""
        return self.steps.shift

    def draw(self, source: Source) -> int:
        """One number, to the end; the compiled loop reads the same bytes in the same order."""
        while True:
            k = self.steps.step(source, WIDTH)
            j = source.number(-(-self.shift // 8)) & ((1 << self.shift) - 1)
            behind, coin = source.number(BELOW), source.number(WIDTH)
            up = behind >> (8 * BELOW - 1)
            kept = self._kept(k << self.shift, (j << 8 * BELOW) + behind, coin, source)
            negative = source.byte() & 1
            if kept:
                size = (k << self.shift) + j + up
                return -size if negative else size

    def _kept(self, start: int, y: int, coin: int, source: Source) -> bool:
        """How a coin falls of which only the first digits are known, and those of y."""
        below, width = 8 * BELOW, 8 * WIDTH
        while True:
            bits, rate = width + 16, self.steps.rate
            # exp falls with y: at its end it is least, at its beginning greatest.
            ends = (Fraction(y + end, 1 << below) for end in (1, 0))
            least, greatest = (exp_bounds(at * (2 * start + at) * rate, bits) for at in ends)
            if (coin + 1) << 16 <= least.low:
                return True
            if coin << 16 >= greatest.high:
                return False
            y, below = y << 32 | source.number(4), below + 32
            coin, width = coin << 32 | source.number(4), width + 32
