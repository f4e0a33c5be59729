"""What a synthetic table may cost, and the two things that are paid from it: noisy counts and choices."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shoal.core.sampling.choice import exact_choice
from shoal.core.sampling.directed_rounding import sqrt_down
from shoal.core.sampling.noise import check_scale, check_variance, gaussian_noise, laplace_noise
from shoal.core.sampling.zcdp_conversion import rho_for
from shoal.tables.methods.synthetic.estimation import NoisyMarginal
from shoal.tables.methods.synthetic.junction_tree import Clique

Ints = NDArray[np.int64]
STEPS = 64  # of one row in the whole numbers that choices go by


@dataclass
class PrivacyAccount:
    """A budget that is never overspent: ε and discrete Laplace noise where δ is 0, else ρ and Gaussian noise.

    One row more or less changes one cell of a marginal by 1. Laplace noise of scale 1/c on all cells then
    costs c, Gaussian noise of variance 1/2c costs ρ = c; a choice by the exponential mechanism with ε costs
    ε, or ρ = ε²/8 (Cesar & Rogers 2021: its range is bounded). Costs are exact fractions.
    """

    limit: Fraction
    gaussian: bool
    spent: Fraction = field(default=Fraction(0))

    @classmethod
    def of(cls, epsilon: Fraction, delta: Fraction) -> PrivacyAccount:
        """The account of a promise (ε, δ)."""
        return cls(rho_for(epsilon, delta), True) if delta else cls(epsilon, False)

    @property
    def left(self) -> Fraction:
        """What may still be spent."""
        return self.limit - self.spent

    @property
    def doubling(self) -> int:
        """How many times the cost of half the noise is."""
        return 4 if self.gaussian else 2

    def check(self, cost: Fraction) -> None:
        """Refuse noise that nobody can draw, before any row is read."""
        if self.gaussian:
            check_variance(1 / (2 * cost))
        else:
            check_scale(1 / cost)

    def variance(self, cost: Fraction) -> float:
        """Of the noise that a cost buys."""
        return 1 / (2 * float(cost)) if self.gaussian else 2 / float(cost) ** 2

    def size(self, cost: Fraction) -> float:
        """The expected size of that noise on one cell."""
        return math.sqrt(2 / math.pi * self.variance(cost)) if self.gaussian else 1 / float(cost)

    def measured(self, columns: Clique, counts: Ints, cost: Fraction) -> NoisyMarginal:
        """A marginal with noise on every cell, empty ones too."""
        self._pay(cost)
        noise = (
            gaussian_noise(1 / (2 * cost), counts.size)
            if self.gaussian
            else laplace_noise(1 / cost, counts.size)
        )
        noisy = counts + noise.reshape(counts.shape)
        return NoisyMarginal(columns, noisy.astype(np.float64), self.variance(cost))

    def chosen(self, scores: Ints, sensitivity: int, cost: Fraction) -> int:
        """The place of a good score, drawn with P ∝ exp(ε · score / 2 · sensitivity)."""
        self._pay(cost)
        epsilon = sqrt_down(8 * cost) if self.gaussian else cost
        # The complement is small where a score is large, and always fits.
        return exact_choice(~scores, epsilon / (2 * sensitivity))

    def _pay(self, cost: Fraction) -> None:
        # Before the rows are looked at for it: what fails afterwards stays paid.
        self.spent += cost
        assert self.spent <= self.limit, "a synthetic table must not cost more than was promised"
