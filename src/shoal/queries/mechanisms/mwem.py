"""Many counts from one made-up histogram: multiplicative weights and the exponential mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.choice import exact_choice
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.queries.answering.range_counts import range_counts

STEPS = 64  # of one row in the whole numbers that choices go by
MOST = 2**50  # rows
_PASSES = 20  # over what was measured, after each measurement


@dataclass(frozen=True)
class Mwem(Mechanism[NDArray[np.int64], NDArray[np.float64]]):
    """A histogram that answers all ranges of an ordered domain about right: ε-differential privacy.

    Counts of the cells of a declared domain go in; a made-up histogram comes out. In every round the range
    that it answers worst is chosen by the exponential mechanism, counted with Laplace noise, and the weights
    under it are multiplied until it fits. One twentieth of ε buys the number of rows, and each round is half
    for the choice, half for the count. For domains of up to 256 cells.

    Hardt, Ligett, McSherry, "A simple and practical algorithm for differentially private data release", 2012.
    """

    name: ClassVar[str] = "mwem"
    example: ClassVar[str] = "epsilon=1,rounds=2"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((3, 0, 1), (3, 1, 1))

    epsilon: Fraction
    rounds: int = 10

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        whole(self, rounds=1)
        if self.rounds > 1000:
            raise BadParameter(f"mwem takes 1,000 rounds at most, not {self.rounds:,}")
        check_scale(max(20, 2 * self.rounds) / self.epsilon)

    def release(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """The made-up histogram."""
        inside = integers(counts, 0, 2**40).ravel()
        ranges = range_counts(len(inside))
        truth = ranges @ inside
        whole_cost = self.epsilon / 20
        # Within what 64 bits hold in steps: beyond, a score would go round, and tell.
        total = min(max(1, int(inside.sum()) + int(laplace_noise(1 / whole_cost, 1)[0])), MOST)
        each = (self.epsilon - whole_cost) / self.rounds / 2
        weights = np.full(len(inside), total / len(inside))
        measured: list[tuple[int, int]] = []
        for _ in range(self.rounds):
            guess = np.rint(STEPS * (ranges @ weights)).astype(np.int64)
            # One row more or less moves each of these by 64 at most.
            miss = np.abs(STEPS * truth - guess)
            chosen = exact_choice(~miss, each / (2 * STEPS))
            measured.append((chosen, int(truth[chosen]) + int(laplace_noise(1 / each, 1)[0])))
            for _ in range(_PASSES):
                for place, told in measured:
                    step = (told - ranges[place] @ weights) / (2 * total)
                    weights = weights * np.exp(np.clip(step, -20, 20) * ranges[place])
                    weights *= total / weights.sum()
        return weights
