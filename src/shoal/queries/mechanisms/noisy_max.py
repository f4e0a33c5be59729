"""Report noisy max."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.exact_parameters import settle
from shoal.core.sampling.noise import check_scale
from shoal.queries.mechanisms.laplace import Laplace


@dataclass(frozen=True)
class NoisyMax(Mechanism[NDArray[np.int64], int]):
    """Which of many numbers is the largest, after noise on each of them: ε-differential privacy.

    Only the place is told, neither the number nor the runner-up; so the noise has the scale 2 · sensitivity
    / ε however many numbers there are. When they are `monotone` (all go up or all go down when somebody
    comes, as counts do), sensitivity / ε is enough. The sensitivity is how far any one of them moves. Of
    places alike the first counts, which with whole numbers and whole noise costs nothing.

    Dwork, Roth, "The algorithmic foundations of differential privacy", 2014, section 3.3.
    """

    name: ClassVar[str] = "noisy-max"
    example: ClassVar[str] = "epsilon=0.5"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((0, 0, 0, 0), (1, -1, -1, -1))

    epsilon: Fraction
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    def __post_init__(self) -> None:
        settle(self, epsilon=None, sensitivity=None)
        check_scale(self.noise.scale)

    @property
    def noise(self) -> Laplace:
        """What each number gets."""
        return Laplace(self.epsilon, self.sensitivity if self.monotone else 2 * self.sensitivity)

    def release(self, values: NDArray[np.int64]) -> int:
        """The place of the largest."""
        if not values.size:
            raise BadParameter("there is nothing to choose from; give at least one number")
        return int(np.argmax(self.noise.release(values)))
