"""Which groups may be named at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.exact_parameters import probability, settle, whole
from shoal.core.sampling.noise import check_scale
from shoal.core.sampling.noise_accuracy import laplace_reach
from shoal.queries.mechanisms.laplace import Laplace


@dataclass(frozen=True)
class Selection(Mechanism[NDArray[np.int64], NDArray[np.int64]]):
    """Groups found in the data are named when a noisy number of people passes a threshold: (ε, δ)-privacy.

    Each person counts once in at most `groups` groups, so noise of the scale groups / ε is enough for the
    numbers. A group that is there because of one person alone is named with a probability so small that all
    such groups of one person together come to δ at most. Hand in every group that holds somebody, in an
    order that tells nothing, and no group that holds nobody.

    Korolova, Kenthapadi, Mishra, Ntoulas, "Releasing search queries and clicks privately", 2009; Wilson et
    al., "Differentially private SQL with bounded user contribution", 2020.
    """

    name: ClassVar[str] = "selection"
    example: ClassVar[str] = "epsilon=0.5,delta=1e-6"
    pure: ClassVar[bool] = False
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((5,), (6,))

    epsilon: Fraction
    delta: Fraction
    groups: int = 1

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        object.__setattr__(self, "delta", probability(self.delta, "selection(delta=…)"))
        whole(self, groups=1)
        check_scale(self.noise.scale)

    def costing(self, epsilon: Fraction, delta: Fraction) -> Selection:
        """The same at another price."""
        return replace(self, epsilon=epsilon, delta=delta)

    @property
    def noise(self) -> Laplace:
        """What each number of people gets."""
        return Laplace(self.epsilon, Fraction(self.groups))

    @cached_property
    def threshold(self) -> int:
        """The least noisy number that names a group: groups · P(1 + noise ≥ threshold) is at most δ."""
        return 1 + laplace_reach(self.noise.scale, self.delta / self.groups)

    def release(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The noisy numbers of the groups that are named, and 0 for the others."""
        noisy = self.noise.release(counts)
        return np.where(noisy >= self.threshold, noisy, 0)

    def kept(self, counts: NDArray[np.int64]) -> Mask:
        """Which groups are named, given the number of people in each."""
        return self.release(counts) > 0
