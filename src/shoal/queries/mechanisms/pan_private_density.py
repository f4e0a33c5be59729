"""The density of a stream, estimated by a memory that may be looked into."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.core.sampling.random_bytes import flips
from shoal.queries.stream_mechanism import StreamMechanism

LARGEST_HALF = Fraction(3, 2)
MOST = 10**9


@dataclass(frozen=True)
class PanPrivateDensity(StreamMechanism[float]):
    """The share of a universe that appears in a stream, for users and against intruders: ε in all.

    One bit for each of `size` possible users, at first a fair coin. Whoever appears gets a new bit, which is
    1 with probability 1/2 + ε'/4, where ε' = ε/2: how often somebody appears makes no difference. Whoever
    looks into the memory once, between two elements, learns ε' at most about anybody, and the answer tells
    another ε': noise Lap(1/ε') on the number of ones. Then density = 4(θ - 1/2)/ε', θ being the noisy share
    of ones. The noise belongs on θ, before the scaling: Lap(1/ε'|X|) after it is too little, by 4/ε'. Valid
    for ε up to 3. P(|density - truth| ≥ t) ≤ 2 exp(-|X|t²ε'²/8), but for that noise.

    Dwork, Naor, Pitassi, Rothblum, Yekhanin, "Pan-private streaming algorithms", 2010.
    """

    name: ClassVar[str] = "pan-private-density"
    example: ClassVar[str] = "epsilon=1,size=4"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((), (0,))

    epsilon: Fraction
    size: int

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        whole(self, size=1)
        if self.epsilon > 2 * LARGEST_HALF:
            raise BadParameter(
                f"pan-private-density is proved for epsilon up to 3, not {float(self.epsilon):g}; lower it"
            )
        if self.size > MOST:
            raise BadParameter(f"pan-private-density keeps {MOST:,} users at most, not {self.size:,}")
        check_scale(1 / self.half)

    @property
    def half(self) -> Fraction:
        """The ε' of the memory, and of the answer."""
        return self.epsilon / 2

    @property
    def error(self) -> float:
        """The expected size of the error: of fair coins, and of the noise."""
        coins = self.size / 4 + 2 / float(self.half) ** 2
        return 4 / float(self.half) * math.sqrt(coins) / self.size * math.sqrt(2 / math.pi)

    def chance_of(self, t: float) -> float:
        """A bound on the chance that coins alone put the estimate off by t or more."""
        return min(1.0, 2 * math.exp(-self.size * t**2 * float(self.half) ** 2 / 8))

    def follow(self, elements: Iterable[int]) -> Iterator[float]:
        """The density, when the stream has ended."""
        memory = self.begin()
        for element in elements:
            memory.see(element)
        yield memory.estimate()

    def begin(self) -> DensityMemory:
        """A memory at its beginning. Each costs ε anew."""
        return DensityMemory(self)

    def release(self, elements: NDArray[np.int64]) -> float:
        """The estimate after a stream of user numbers."""
        memory = self.begin()
        memory.see(elements)
        return memory.estimate()


class DensityMemory:
    """All that the estimator remembers: one bit per user, and whether it has answered."""

    def __init__(self, estimator: PanPrivateDensity) -> None:
        self.estimator = estimator
        self.bits = flips(Fraction(1, 2), estimator.size)
        self.answered = False

    def see(self, elements: NDArray[np.int64] | int) -> None:
        """Somebody appears, or several do. Numbers beyond the universe count nowhere, and no error tells."""
        if self.answered:
            raise BadParameter(
                "this estimator has answered; what comes later needs another one, with its own ε"
            )
        users = integers(np.atleast_1d(np.asarray(elements)))
        users = users[(users >= 0) & (users < self.estimator.size)]
        # Of several draws for one user the last stays, which is as good as one.
        self.bits[users] = flips(Fraction(1, 2) + self.estimator.half / 4, len(users))

    def estimate(self) -> float:
        """The density, once."""
        if self.answered:
            raise BadParameter(
                "this estimator has answered; a second answer would cost more than was promised"
            )
        self.answered = True
        size, half = self.estimator.size, float(self.estimator.half)
        ones = int(self.bits.sum()) + int(laplace_noise(1 / self.estimator.half, 1)[0])
        return 4 * (ones / size - 0.5) / half
