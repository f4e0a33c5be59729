"""The discrete Laplace law, digit by digit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from shoal.core.sampling.exact_probabilities import Chance, exp_chance, odds_chance
from shoal.core.sampling.random_bytes import Source

FAR = 45  # exp(-45) is less than 2^-64


@dataclass(frozen=True)
class DiscreteLaplace:
    """Whole numbers with P(x) ∝ exp(-|x| / scale).

    The size is geometric, and the binary digits of a geometric number are independent coins: digit i is 1
    with the odds exp(-2^i / scale). What lies beyond the last digit is geometric again, with a smaller ratio.
    A sign is drawn too, and minus nought is thrown away.

    Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", 2020 (the law and its
    privacy).
    """

    scale: Fraction

    @cached_property
    def digits(self) -> int:
        """How many digits are drawn before the coin for what lies beyond."""
        reach = FAR * self.scale
        return max(0, (reach.numerator // reach.denominator).bit_length())

    @cached_property
    def chances(self) -> tuple[Chance, ...]:
        """A coin for each digit, and one for all that lies beyond."""
        odds = [odds_chance((1 << digit) / self.scale) for digit in range(self.digits)]
        return (*odds, exp_chance((1 << self.digits) / self.scale))

    @lru_cache(maxsize=256)  # noqa: B019 - the laws themselves are few and kept
    def thresholds(self, width: int = 8) -> NDArray[np.uint64]:
        """The first bytes of every coin, for the compiled loop."""
        return np.array([chance.digits(8 * width) for chance in self.chances], np.uint64)

    def draw(self, source: Source) -> int:
        """One number, to the end; the compiled loop reads the same bytes in the same order."""
        *digits, beyond = self.chances
        while True:
            size = sum(1 << place for place, chance in enumerate(digits) if source.coin(chance))
            while source.coin(beyond):
                size += 1 << self.digits
            negative = source.byte() & 1
            if size or not negative:
                return -size if negative else size
