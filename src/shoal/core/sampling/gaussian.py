"""The discrete Gaussian law: a coarse step from a table, a fine one by rejection."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from shoal.core.sampling.exact_probabilities import Bounds, Chance, exp_bounds, exp_chance
from shoal.core.sampling.random_bytes import Source


@dataclass(frozen=True)
class DiscreteGaussian:
    """Whole numbers with P(x) ∝ exp(-x² / 2σ²).

    The size is k · 2^r + j, where 2^r is the largest power of two up to σ (or 1). k comes with
    P(k) ∝ exp(-(k 2^r)² / 2σ²) from a table, j is r fair digits, and both are kept with the probability
    exp(-j (2 k 2^r + j) / 2σ²): one coin for each binary digit of j (2 k 2^r + j) that is 1.
    A sign is drawn too, and minus nought is thrown away.

    Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", 2020 (the law and its
    privacy); the way to draw it after Karney, "Sampling exactly from the normal distribution", 2016.
    """

    variance: Fraction

    @cached_property
    def shift(self) -> int:
        """r: the fine step has so many digits."""
        whole = self.variance.numerator // self.variance.denominator
        return max(0, math.isqrt(whole).bit_length() - 1)

    @cached_property
    def rate(self) -> Fraction:
        """1 / 2σ²."""
        return 1 / (2 * self.variance)

    @cached_property
    def _coins(self) -> dict[int, Chance]:
        return {}

    def coin(self, digit: int) -> Chance:
        """The coin for a digit of j (2 k 2^r + j)."""
        if digit not in self._coins:
            self._coins[digit] = exp_chance((1 << digit) * self.rate)
        return self._coins[digit]

    @lru_cache(maxsize=256)  # noqa: B019 - the laws themselves are few and kept
    def _weights(self, bits: int) -> tuple[Bounds, ...]:
        """exp(-(k 2^r)² / 2σ²) for k = 0, 1 …, and as the last entry all that follow, together."""
        unit = self.rate * (1 << 2 * self.shift)  # more than 1/8
        found = [exp_bounds(k * k * unit, bits) for k in range(math.isqrt(int(bits / unit)) + 3)]
        # From K = len(found) on, k² is at least K·k: a geometric sum.
        first = exp_bounds(len(found) ** 2 * unit, bits).high
        ratio = exp_bounds(len(found) * unit, bits).high
        return (*found, Bounds(0, -(-(first << bits) // ((1 << bits) - ratio))))

    def upto(self, k: int) -> Chance:
        """The probability that the coarse step is k or less."""

        def bounds(bits: int) -> Bounds:
            weights = self._weights(bits)
            inside = [sum(weight[end] for weight in weights[: k + 1]) for end in (0, 1)]
            beyond = [sum(weight[end] for weight in weights[k + 1 :]) for end in (0, 1)]
            # inside / (inside + beyond) grows with the one and falls with the other.
            return Bounds(
                (inside[0] << bits) // (inside[0] + beyond[1]),
                min(1 << bits, -(-(inside[1] << bits) // (inside[1] + beyond[0]))),
            )

        return Chance(bounds)

    @lru_cache(maxsize=256)  # noqa: B019
    def coarse(self, width: int = 8) -> NDArray[np.uint64]:
        """The first bytes of P(coarse step ≤ k), for every k until they are all ones."""
        found: list[int] = []
        while not found or found[-1] < (1 << 8 * width) - 1:
            found.append(self.upto(len(found)).digits(8 * width))
        return np.array(found, np.uint64)

    @lru_cache(maxsize=256)  # noqa: B019
    def fine(self, width: int = 8) -> NDArray[np.uint64]:
        """The first bytes of every coin that the compiled loop can need."""
        most = ((1 << self.shift) - 1) * (2 * len(self.coarse(width)) + 1) << self.shift
        return np.array([self.coin(digit).digits(8 * width) for digit in range(most.bit_length())], np.uint64)

    def draw(self, source: Source, width: int = 8) -> int:
        """One number, to the end; the compiled loop reads the same bytes in the same order."""
        while True:
            k = self.step(source, width)
            j = source.number(-(-self.shift // 8)) & ((1 << self.shift) - 1)
            product = j * ((k << self.shift + 1) + j)
            places = range(product.bit_length() - 1, -1, -1)
            if not all(source.coin(self.coin(place)) for place in places if product >> place & 1):
                continue
            size, negative = (k << self.shift) + j, source.byte() & 1
            if size or not negative:
                return -size if negative else size

    def step(self, source: Source, width: int) -> int:
        """The coarse step k, by comparing a random number with the table; as many more bytes as it takes."""
        drawn, k = source.number(width), 0
        while True:
            wanted = self.upto(k).digits(8 * width)
            if drawn < wanted:
                return k
            if drawn > wanted:
                k += 1
            else:
                drawn, width = drawn << 8 | source.byte(), width + 1
