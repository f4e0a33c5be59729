"""The Gaussian mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.sampling import noise_accuracy
from shoal.core.sampling.exact_parameters import exact, probability, settle
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_variance, gaussian_noise
from shoal.core.sampling.power_of_two_grid import Grid
from shoal.core.sampling.zcdp_conversion import rho_for
from shoal.queries.mechanisms.laplace import MOST


@dataclass(frozen=True)
class Gaussian(Mechanism[NDArray[np.int64], NDArray[np.int64]]):
    """Numbers with discrete Gaussian noise, σ² = sensitivity² / 2ρ: ρ-zero-concentrated differential privacy.

    The sensitivity is how far all numbers of one release together move in the Euclidean sense when one person
    comes or goes (the sum of absolute changes is never less, and may be given instead).

    The noise is a whole number with P(x) ∝ exp(-x² / 2σ²), drawn exactly; real numbers are put on a grid of
    a power of two first. There is no seed. `approximate` finds ρ for (ε, δ) by the conversion of zCDP. The
    analytic calibration of Balle & Wang 2018 needs a little less noise, but it is proved for the continuous
    law; for discrete noise on many numbers nobody has proved it, and so it is not used.

    Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", 2020.
    """

    name: ClassVar[str] = "gaussian"
    example: ClassVar[str] = "rho=1/2"
    takes_real: ClassVar[bool] = True
    elementwise: ClassVar[bool] = True
    pure: ClassVar[bool] = False

    rho: Fraction
    sensitivity: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        settle(self, rho=None, sensitivity=None)
        check_variance(self.variance)  # now, and not when the cost is spent already

    @classmethod
    def approximate(cls, epsilon: Fraction, delta: Fraction, sensitivity: Fraction = Fraction(1)) -> Gaussian:
        """The one with the least noise that zCDP proves to be (ε, δ)-differentially private."""
        loss, chance = exact(epsilon, "epsilon"), probability(delta, "delta")
        if loss <= 0:
            raise BadParameter(f"gaussian needs epsilon above 0, not {float(loss):g}")
        return cls(rho_for(loss, chance), sensitivity)

    def costing(self, epsilon: Fraction, delta: Fraction) -> Gaussian:
        """The one with the least noise for (ε, δ)."""
        return self.approximate(epsilon, delta, self.sensitivity)

    @property
    def variance(self) -> Fraction:
        """σ² of the noise: sensitivity² / 2ρ."""
        return self.sensitivity**2 / (2 * self.rho)

    @property
    def error(self) -> float:
        """The expected size of the noise."""
        return noise_accuracy.gaussian_error(self.variance)

    def interval(self, confidence: float = 0.95) -> float:
        """A w, the least but for 1, such that the noise lies between -w and w with a confidence."""
        return noise_accuracy.gaussian_interval(self.variance, probability(confidence, "confidence"))

    def release(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Every number with noise of its own."""
        inside = integers(values, -MOST, MOST)
        return inside + gaussian_noise(self.variance, inside.size).reshape(inside.shape)

    def release_real(self, value: float) -> float:
        """A real number, on a grid, with noise. The sensitivity must hold for doubles, rounding included."""
        # σ is sensitivity / √(2ρ), which is at least sensitivity / (1 + 2ρ).
        grid = Grid.under(self.sensitivity, self.sensitivity / (1 + 2 * self.rho))
        noise = gaussian_noise(Fraction(grid.steps(self.sensitivity) ** 2) / (2 * self.rho), 1)
        return grid.value(grid.snapped(value) + int(noise[0]))

    def draws(self, shape: int | tuple[int, ...], generator: np.random.Generator) -> NDArray[np.float64]:
        """What the noise may have been, for error bars. Never for privacy: it is rounded, and it repeats."""
        # Rounding keeps tails that are never shorter than those of the law on whole numbers.
        return np.rint(generator.normal(scale=math.sqrt(float(self.variance)), size=shape))
