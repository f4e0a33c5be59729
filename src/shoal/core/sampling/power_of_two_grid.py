"""Real numbers on a grid of a power of two, so that the last bits of a double tell nothing."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

_FINE = 2**16  # steps of the grid in the sensitivity, or in the noise when that is less
_LARGEST = sys.float_info.max


@dataclass(frozen=True)
class Grid:
    """Steps of a power of two."""

    step: Fraction

    @classmethod
    def under(cls, *sizes: Fraction) -> Grid:
        """A grid that cuts the least of some sizes into 65,536 steps or more."""
        least = min(sizes) / _FINE
        power = least.numerator.bit_length() - least.denominator.bit_length()
        step = Fraction(2) ** power
        return cls(step if step <= least else step / 2)

    def snapped(self, value: float) -> int:
        """The nearest step, half a step going up: no two values come farther apart than `steps` says.

        What is infinite counts as the largest double, and what is no number as 0: an error would tell.
        """
        inside = 0.0 if math.isnan(value) else max(-_LARGEST, min(_LARGEST, value))
        return math.floor(Fraction(inside) / self.step + Fraction(1, 2))

    def steps(self, sensitivity: Fraction) -> int:
        """How many steps apart two values can come that are a sensitivity apart."""
        return math.ceil(sensitivity / self.step)

    def value(self, steps: int) -> float:
        """A number of steps as a double, the largest one for all beyond."""
        most = Fraction(_LARGEST)
        return float(max(-most, min(most, steps * self.step)))
