"""The histogram mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.mechanism import Mechanism
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.noise import check_scale
from shoal.queries.mechanisms.laplace import Laplace


@dataclass(frozen=True)
class Histogram(Mechanism[NDArray[np.int64], NDArray[np.int64]]):
    """Counts of all buckets with noise of the scale reach / ε, however many buckets: ε-differential privacy.

    Somebody with at most `reach` rows changes all counts together by at most so much. The buckets must be
    known beforehand: those that are empty get noise too. For buckets found in the data there is selection.

    Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity in private data analysis", 2006.
    """

    name: ClassVar[str] = "histogram"
    example: ClassVar[str] = "epsilon=0.5"
    elementwise: ClassVar[bool] = True
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((3, 0, 2), (4, 0, 2))

    epsilon: Fraction
    reach: int = 1

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        whole(self, reach=1)
        check_scale(self.noise.scale)

    @property
    def noise(self) -> Laplace:
        """What each bucket gets."""
        return Laplace(self.epsilon, Fraction(self.reach))

    @property
    def error(self) -> float:
        """The expected size of the noise on one bucket."""
        return self.noise.error

    def release(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Every count with noise."""
        return self.noise.release(counts)
