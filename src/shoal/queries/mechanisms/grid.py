"""Real numbers on a grid of a power of two, so that the last bits of a double tell nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from shoal.core.errors import BadParameter

_FINE = 2**16  # steps of the grid in the sensitivity, or in the noise when that is less


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
        """The nearest step, half a step going up: no two values come farther apart than `steps` says."""
        if not math.isfinite(value):
            # Of neighbours with a finite sensitivity, either both are finite or the declaration was wrong.
            raise BadParameter(f"cannot add noise to {value}; clamp it to its bounds first")
        return math.floor(Fraction(value) / self.step + Fraction(1, 2))

    def steps(self, sensitivity: Fraction) -> int:
        """How many steps apart two values can come that are a sensitivity apart."""
        return math.ceil(sensitivity / self.step)

    def value(self, steps: int) -> float:
        """A number of steps as a double."""
        return float(steps * self.step)
