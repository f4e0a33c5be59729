"""The Gaussian mechanism with continuous noise, rounded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.exact_parameters import exact, probability, settle
from shoal.core.sampling.gaussian_dp_conversion import squared_mu_for
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import LEAST, check_variance, rounded_normal_noise
from shoal.core.sampling.power_of_two_grid import Grid
from shoal.queries.mechanisms.laplace import MOST


@dataclass(frozen=True)
class RoundedGaussian(Mechanism[NDArray[np.int64], NDArray[np.int64]]):
    """Numbers with normal noise, σ = sensitivity / μ, rounded: μ-Gaussian differential privacy.

    The sensitivity is how far all numbers of one release together move in the Euclidean sense when one person
    comes or goes. A whole number plus a normal one, rounded, is what can be made of the continuous Gaussian
    mechanism without the data: so that it is μ-GDP in any number of dimensions, exactly (Dong, Roth & Su
    2022, theorem 2.7 and proposition 2.8), where of the discrete Gaussian law only zCDP is proved.
    `approximate` has the least σ for (ε, δ): the analytic calibration of Balle & Wang 2018.

    The noise is drawn exactly, digit by digit; real numbers are put on a grid of a power of two first. There
    is no seed. `squared_mu` is μ², which is what adds up over several releases.

    Balle, Wang, "Improving the Gaussian mechanism for differential privacy", 2018; Dong, Roth, Su, "Gaussian
    differential privacy", 2022.
    """

    name: ClassVar[str] = "rounded-gaussian"
    example: ClassVar[str] = "squared-mu=1"
    takes_real: ClassVar[bool] = True
    elementwise: ClassVar[bool] = True
    pure: ClassVar[bool] = False

    squared_mu: Fraction
    sensitivity: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        settle(self, squared_mu=None, sensitivity=None)
        check_variance(self.variance)  # now, and not when the cost is spent already

    @classmethod
    def approximate(
        cls, epsilon: Fraction, delta: Fraction, sensitivity: Fraction = Fraction(1)
    ) -> RoundedGaussian:
        """The one with the least noise that is (ε, δ)-differentially private."""
        loss, chance = exact(epsilon, "epsilon"), probability(delta, "delta")
        if loss <= 0:
            raise BadParameter(f"rounded-gaussian needs epsilon above 0, not {float(loss):g}")
        return cls(squared_mu_for(loss, chance), sensitivity)

    def costing(self, epsilon: Fraction, delta: Fraction) -> RoundedGaussian:
        """The one with the least noise for (ε, δ)."""
        return self.approximate(epsilon, delta, self.sensitivity)

    @property
    def rho(self) -> Fraction:
        """What it costs under zCDP: μ² / 2."""
        return self.squared_mu / 2

    @property
    def variance(self) -> Fraction:
        """σ² of the noise: sensitivity² / μ²."""
        return max(LEAST, self.sensitivity**2 / self.squared_mu)

    @property
    def error(self) -> float:
        """The expected size of the noise."""
        sigma = self._sigma
        if sigma > 8:  # rounding is nothing then
            return sigma * math.sqrt(2 / math.pi)
        # The sum of P(size ≥ n), n from 1 on.
        return sum(math.erfc((n - 0.5) / (sigma * math.sqrt(2))) for n in range(1, math.ceil(40 * sigma) + 2))

    def interval(self, confidence: float = 0.95) -> float:
        """The least w such that the noise lies between -w and w with a confidence."""
        beyond = float(1 - probability(confidence, "confidence")) / 2
        return float(max(0, math.ceil(-NormalDist().inv_cdf(beyond) * self._sigma * (1 + 1e-9) - 0.5)))

    def release(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Every number with noise of its own."""
        inside = integers(values, -MOST, MOST)
        return inside + rounded_normal_noise(self.variance, inside.size).reshape(inside.shape)

    def release_real(self, value: float) -> float:
        """A real number, on a grid, with noise. The sensitivity must hold for doubles, rounding included."""
        # σ is sensitivity / μ, which is at least sensitivity / (1 + μ²).
        grid = Grid.under(self.sensitivity, self.sensitivity / (1 + self.squared_mu))
        noise = rounded_normal_noise(Fraction(grid.steps(self.sensitivity) ** 2) / self.squared_mu, 1)
        return grid.value(grid.snapped(value) + int(noise[0]))

    def draws(self, shape: int | tuple[int, ...], generator: np.random.Generator) -> NDArray[np.float64]:
        """What the noise may have been, for error bars. Never for privacy: it is rounded, and it repeats."""
        return np.rint(generator.normal(scale=self._sigma, size=shape))

    @property
    def _sigma(self) -> float:
        return math.sqrt(float(self.variance))
