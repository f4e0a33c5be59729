"""The exponential mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.mechanism import Mechanism
from shoal.core.sampling.choice import exact_choice
from shoal.core.sampling.exact_parameters import settle
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.piecewise_choice import Piece, exact_pieces


@dataclass(frozen=True)
class Exponential(Mechanism[NDArray[np.int64], int]):
    """One of many candidates, P ∝ exp(ε · score / 2 · sensitivity): ε-differential privacy.

    Scores are whole numbers, larger is better; the sensitivity is how far any one of them moves when one
    person comes or goes. The draw is exact: doubles decide only where they cannot be wrong. A long range of
    numbers whose score is a line on each piece (constant pieces too) is drawn from without listing it.

    McSherry, Talwar, "Mechanism design via differential privacy", 2007.
    """

    name: ClassVar[str] = "exponential"
    example: ClassVar[str] = "epsilon=0.5"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((4, 5, 2), (5, 4, 1))

    epsilon: Fraction
    sensitivity: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        settle(self, epsilon=None, sensitivity=None)

    @property
    def rate(self) -> Fraction:
        """What a point of the score weighs in the logarithm of the probability: ε / 2 · sensitivity."""
        return self.epsilon / (2 * self.sensitivity)

    def release(self, scores: NDArray[np.int64]) -> int:
        """The index of the candidate chosen."""
        # The complement of a number is small where the number is large, and unlike the negative always fits.
        return exact_choice(~integers(scores), self.rate)

    def release_range(self, pieces: Sequence[Piece]) -> int:
        """The number chosen from a range cut into pieces."""
        turned = [replace(piece, score=-piece.score, slope=-piece.slope) for piece in pieces]
        return exact_pieces(turned, self.rate)
