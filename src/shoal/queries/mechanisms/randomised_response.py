"""Randomised response."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.randomness import picks
from shoal.core.sampling.exact_parameters import exact, settle, whole
from shoal.core.sampling.exact_probabilities import exp_bounds, log_bound
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.random_bytes import flips

_STEP = Fraction(1, 10**12)


@dataclass(frozen=True)
class ShareEstimate:
    """How many gave each answer in truth, and how far that may be off (one standard error)."""

    counts: NDArray[np.float64]
    errors: NDArray[np.float64]


@dataclass(frozen=True)
class RandomisedResponse(Mechanism[NDArray[np.int64], NDArray[np.int64]]):
    """Everybody gives the true answer with a probability and else one of the others: no one need be trusted.

    With k answers and the truth told with probability p, this is ε-differentially private for ε = ln(p (k -
    1) / (1 - p)). The two coins (heads: the truth; tails: whatever the second coin says) tell the truth
    with probability 3/4, and ε = ln 3. The coins are exact for every fraction.

    Warner, "Randomized response", 1965; with many answers Kairouz, Bonawitz, Ramage 2016.
    """

    name: ClassVar[str] = "randomised-response"
    elementwise: ClassVar[bool] = True

    truth: Fraction = Fraction(3, 4)
    categories: int = 2

    def __post_init__(self) -> None:
        settle(self, truth=None)
        whole(self, categories=2)
        if not Fraction(1, self.categories) < self.truth < 1:
            raise BadParameter(
                f"randomised-response needs truth above 1/{self.categories}, where answers tell nothing, and "
                f"below 1, not {self.truth}"
            )

    @classmethod
    def within(cls, epsilon: Fraction, categories: int = 2) -> RandomisedResponse:
        """The one that tells the truth most often with an ε; a hair less, because coins are fractions."""
        loss = exact(epsilon, "epsilon")
        if loss <= 0:
            raise BadParameter(f"randomised-response needs epsilon above 0, not {float(loss):g}")
        # p = 1 / (1 + (k - 1) exp(-ε)), cut to a multiple of 2^-60.
        lie = (categories - 1) * Fraction(exp_bounds(loss, 256).high, 1 << 256)
        return cls(Fraction(math.floor(2**60 / (1 + lie)), 2**60), categories)

    def costing(self, epsilon: Fraction, delta: Fraction) -> RandomisedResponse:
        """The most truthful one within ε."""
        return self.within(epsilon, self.categories)

    @property
    def ratio(self) -> Fraction:
        """exp(ε): how many times likelier an answer is for somebody of whom it is true."""
        return self.truth * (self.categories - 1) / (1 - self.truth)

    @property
    def epsilon(self) -> Fraction:
        """ε = ln(ratio), rounded up to the next 10^-12 or so."""
        return log_bound(self.ratio, _STEP)

    def release(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """What each says, for true answers from 0 to categories - 1.

        Whoever has another answer says any of these, each as likely: an error would tell who it is.
        """
        given = integers(answers, -1, self.categories)
        listed = (given >= 0) & (given < self.categories)
        answers = np.where(listed, given, picks(given.size, self.categories).reshape(given.shape))
        others = (
            answers + 1 + picks(answers.size, self.categories - 1).reshape(answers.shape)
        ) % self.categories
        truthful = flips(self.truth, answers.size).reshape(answers.shape)
        return np.where(truthful | ~listed, answers, others).astype(np.int64)

    def estimate(self, told: NDArray[np.int64]) -> ShareEstimate:
        """The true numbers, without bias, from what was said."""
        number = told.size
        said = np.bincount(told, minlength=self.categories).astype(np.float64)
        lie = float((1 - self.truth) / (self.categories - 1))
        gap = float(self.truth) - lie
        counts = (said - number * lie) / gap
        truthful = np.clip(counts, 0, number)
        spread = truthful * float(self.truth * (1 - self.truth)) + (number - truthful) * lie * (1 - lie)
        return ShareEstimate(counts, np.sqrt(spread) / gap)


TWO_COINS = RandomisedResponse()  # the example that everybody knows
