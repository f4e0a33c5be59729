"""A figure that was counted, or one that was estimated, with how far off it may be."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shoal.core.outcome import Json


@dataclass(frozen=True)
class Estimate:
    """A number with its ends: a 95 % interval, or bounds that hold for certain. Without ends it is exact."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def exact(self) -> bool:
        """Whether it was counted to the end."""
        return self.low is None or self.high is None

    def plus(self, number: float) -> Estimate:
        """The same figure with something known added."""
        if self.low is None or self.high is None:
            return Estimate(self.value + number)
        return Estimate(self.value + number, self.low + number, self.high + number)

    def times(self, factor: float) -> Estimate:
        """The same figure in another unit."""
        if self.low is None or self.high is None:
            return Estimate(self.value * factor)
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def to_json(self) -> Json:
        """A plain number where it is exact."""
        if self.low is None or self.high is None:
            return self.value
        return {"value": self.value, "low": self.low, "high": self.high}

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return number_text(self.value, 6)
        return f"{number_text(self.value, 4)} ({number_text(self.low, 4)} – {number_text(self.high, 4)})"


def number_text(value: float, digits: int) -> str:
    """A number for people; whole numbers to the last digit."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.{digits}g}"


def mean_estimate(total: float, squares: float, number: int, population: int | None = None) -> Estimate:
    """A mean from the sum and the sum of squares of a sample, with Student's 95 % interval.

    `population` is how many there were to draw from without putting back; the more of them were drawn, the
    narrower the interval (Cochran, "Sampling techniques", 1977).
    """
    from scipy.special import stdtrit

    mean = total / number
    spread = max(0.0, (squares - total * mean) / (number - 1))
    left = 1.0 if population is None else max(0.0, 1 - number / population)
    half = float(stdtrit(number - 1, 0.975)) * math.sqrt(spread * left / number)
    return Estimate(mean, mean - half, mean + half)
