"""The sparse vector technique."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.core.errors import BadParameter, Spent
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale
from shoal.queries.mechanisms.laplace import Laplace

_ONE = np.zeros(1, np.int64)


@dataclass(frozen=True)
class SparseVector(Mechanism[NDArray[np.int64], Mask]):
    """Which of many numbers lie above a threshold, paid for by the answers "above": ε-differential privacy.

    It stops after `positives` answers "above"; until then answers "below" are free. ε covers the whole run,
    all positives together. A part ε₁ of it buys noise of the scale sensitivity / ε₁ on the threshold, once;
    the rest ε₂ buys noise of the scale 2 · positives · sensitivity / ε₂ on every number (half of it when
    they are `monotone`: all go up or all go down when somebody comes). ε₁ : ε₂ is about 1 : (2 ·
    positives)^(2/3), which errs least. Numbers are never told, only the side. Variants that save on any of
    this are broken.

    Lyu, Su, Li, "Understanding the sparse vector technique for differential privacy", 2017, algorithm 1.
    """

    name: ClassVar[str] = "sparse-vector"
    example: ClassVar[str] = "epsilon=0.5"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((0, 0, 1, 1), (1, 1, 0, 0))

    epsilon: Fraction
    threshold: int = 0
    positives: int = 1
    sensitivity: Fraction = Fraction(1)
    monotone: bool = False

    def __post_init__(self) -> None:
        settle(self, epsilon=None, sensitivity=None)
        whole(self, positives=1)
        if not isinstance(self.threshold, int) or abs(self.threshold) > 2**61:
            raise BadParameter(f"sparse-vector needs a whole threshold within ±2^61, not {self.threshold}")
        check_scale(self.threshold_noise.scale)
        check_scale(self.query_noise.scale)

    @property
    def factor(self) -> int:
        """How many times the noise of a query carries: once or twice for each positive."""
        return self.positives if self.monotone else 2 * self.positives

    @property
    def threshold_noise(self) -> Laplace:
        """Drawn once for the whole run."""
        return Laplace(self.epsilon * self._share, self.sensitivity)

    @property
    def query_noise(self) -> Laplace:
        """Drawn anew for every number."""
        return Laplace(self.epsilon * (1 - self._share), self.factor * self.sensitivity)

    @property
    def _share(self) -> Fraction:
        """ε₁ / ε, as a fraction near the best one."""
        return Fraction(round(1000 / (1 + self.factor ** (2 / 3))) or 1, 1000)

    def start(self) -> Run:
        """A run, to which numbers are handed one by one; each may be chosen after the answers so far."""
        return Run(self, int(self.threshold_noise.release(_ONE)[0]))

    def release(self, values: NDArray[np.int64]) -> Mask:
        """The sides of the first numbers, up to the last positive allowed; so it may be the shorter one."""
        limit = self.threshold + int(self.threshold_noise.release(_ONE)[0])
        above = self.query_noise.release(values) >= limit
        return above[: int(np.searchsorted(np.cumsum(above), self.positives)) + 1]


@dataclass
class Run:
    """A run of the sparse vector technique; it ends with the last positive."""

    mechanism: SparseVector
    _noise: int = field(repr=False)
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.mechanism.positives

    def above(self, value: int) -> bool:
        """Whether a number lies above the threshold, as far as may be told."""
        if not self.left:
            raise Spent(
                f"all {self.mechanism.positives} answers 'above' of this run are given; start a new one, "
                f"which costs ε={float(self.mechanism.epsilon):g} again"
            )
        noisy = int(self.mechanism.query_noise.release(integers([value]))[0])
        found = noisy >= self.mechanism.threshold + self._noise
        self.left -= found
        return found
