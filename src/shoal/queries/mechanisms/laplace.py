"""The Laplace mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.mechanism import Mechanism
from shoal.core.sampling import noise_accuracy
from shoal.core.sampling.exact_parameters import probability, settle
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.core.sampling.power_of_two_grid import Grid

MOST = 2**62  # of a number that gets noise; the noise itself stays below, so that sums fit 64 bits


@dataclass(frozen=True)
class Laplace(Mechanism[NDArray[np.int64], NDArray[np.int64]]):
    """Numbers with noise of the scale sensitivity / ε: ε-differential privacy.

    The sensitivity is how far all numbers of one release together move (their absolute changes added up) when
    one person comes or goes. It must follow from declared bounds. That removing a row from (4, 2, 7, 1) moves
    the sum by at most 7 is true of these rows only: noise made for 7 would tell that nobody earns more.

    The noise is a whole number with P(x) ∝ exp(-|x| ε / sensitivity), drawn exactly; real numbers are put on
    a grid of a power of two first. There is no seed.

    Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity in private data analysis", 2006; on
    whole numbers Ghosh, Roughgarden, Sundararajan 2009; why doubles leak, Mironov 2012.
    """

    name: ClassVar[str] = "laplace"
    example: ClassVar[str] = "epsilon=0.5"
    takes_real: ClassVar[bool] = True
    elementwise: ClassVar[bool] = True

    epsilon: Fraction
    sensitivity: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        settle(self, epsilon=None, sensitivity=None)
        check_scale(self.scale)  # now, and not when the cost is spent already

    @property
    def scale(self) -> Fraction:
        """Of the noise: sensitivity / ε."""
        return self.sensitivity / self.epsilon

    @property
    def rho(self) -> Fraction:
        """What it costs under zCDP: ε² / 2 (Bun & Steinke 2016)."""
        return self.epsilon**2 / 2

    @property
    def error(self) -> float:
        """The expected size of the noise."""
        return noise_accuracy.laplace_error(self.scale)

    def interval(self, confidence: float = 0.95) -> float:
        """The least w such that the noise lies between -w and w with a confidence."""
        return noise_accuracy.laplace_interval(self.scale, probability(confidence, "confidence"))

    def release(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Every number with noise of its own."""
        # Clamping brings no two numbers farther apart, and then nothing overflows.
        inside = integers(values, -MOST, MOST)
        return inside + laplace_noise(self.scale, inside.size).reshape(inside.shape)

    def release_real(self, value: float) -> float:
        """A real number, on a grid, with noise. The sensitivity must hold for doubles, rounding included."""
        grid = Grid.under(self.sensitivity, self.scale)
        noise = laplace_noise(grid.steps(self.sensitivity) / self.epsilon, 1)
        return grid.value(grid.snapped(value) + int(noise[0]))

    def draws(self, shape: int | tuple[int, ...], generator: np.random.Generator) -> NDArray[np.float64]:
        """What the noise may have been, for error bars. Never for privacy: it is rounded, and it repeats."""
        # Rounding keeps tails that are never shorter than those of the law on whole numbers.
        return np.rint(generator.laplace(scale=float(self.scale), size=shape))
