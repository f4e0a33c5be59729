"""Private k-means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale, check_variance, gaussian_noise, laplace_noise
from shoal.core.sampling.zcdp_conversion import rho_for
from shoal.queries.learner import STEPS, Learner, in_units
from shoal.queries.mechanisms.k_means.noisy_grid import grid_centres
from shoal.queries.mechanisms.k_means.starting_centres import sphere_packing

MOST_DIMENSIONS, MOST_CLUSTERS, MOST_ITERATIONS = 1000, 1000, 100
_TYPICAL = 0.225  # how far a centre is from the middle, in half ranges (Su et al. 2016)
Schedule = Literal["refined", "fixed", "halving"]


@dataclass(frozen=True, eq=False)
class Clusters:
    """Centres in the unit cube (0 and 1 are the declared bounds), and about how many people are near each."""

    centres: NDArray[np.float64]
    sizes: NDArray[np.int64]


@dataclass(frozen=True)
class _Noise:
    """What a round of the algorithm adds: to the counts, and to the sums of each column, in steps."""

    count: Fraction  # scales of Laplace noise, or variances of Gaussian noise
    total: Fraction


@dataclass(frozen=True)
class KMeans(Learner[Clusters]):
    """Centres of k clusters after a fixed number of iterations: ε-differential privacy, or (ε, δ).

    Points are whole numbers from 0 to 2^20 in each column: steps between declared bounds. In every
    iteration each point goes to its nearest centre, and a centre becomes noisy sum / noisy count.
    `refined` (default) spends half of ε on a noisy grid, on which it finds centres to begin with;
    measures from the middle of the range, which halves how far a person reaches; and divides the rest
    between counts and sums so that the error is least. With δ its noise is Gaussian under zCDP. `fixed`
    is the algorithm of the literature, Lap((d+1)N/ε) on all of it; `halving` spends half of what is left
    in every iteration. How many points there are is not looked at: with fewer than k, centres are noise.

    Blum, Dwork, McSherry, Nissim, "Practical privacy: the SuLQ framework", 2005; `refined` after Su, Cao,
    Li, Bertino, Jin, "Differentially private k-means clustering", 2016.
    """

    name: ClassVar[str] = "k-means"
    example: ClassVar[str] = "epsilon=1,k=2"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((), (STEPS,))

    epsilon: Fraction
    k: int
    iterations: int = 3
    schedule: Schedule = "refined"
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        settle(self, epsilon=None, delta=Fraction(0))
        whole(self, k=1, iterations=1)
        for name, most in (("k", MOST_CLUSTERS), ("iterations", MOST_ITERATIONS)):
            if getattr(self, name) > most:
                raise BadParameter(f"k-means takes {name} up to {most:,}, not {getattr(self, name):,}")
        if self.schedule not in ("refined", "fixed", "halving"):
            raise BadParameter(f"k-means(schedule={self.schedule}): there is refined, fixed and halving")
        if self.delta >= 1 or (self.delta and self.schedule != "refined"):
            raise BadParameter("k-means takes a delta below 1, and only with schedule=refined")

    @property
    def failure(self) -> Fraction:
        return self.delta

    def check(self, dimensions: int) -> None:
        """Refuse what no noise can protect, before any point is read."""
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            raise BadParameter(f"k-means takes 1 to {MOST_DIMENSIONS:,} columns, not {dimensions:,}")
        sizes = [size for noise in self._rounds(dimensions) for size in (noise.count, noise.total)]
        for size in (*sizes, self._grid):
            (check_variance if self.delta else check_scale)(size)

    def release(self, points: NDArray[np.int64]) -> Clusters:
        """The centres. What lies outside of the range counts as its end."""
        from shoal.queries.mechanisms.k_means.assignment_kernels import cluster_sums

        inside = integers(points, 0, STEPS)
        inside = np.ascontiguousarray(inside.reshape(-1, 1) if inside.ndim < 2 else inside)
        dimensions = inside.shape[1]
        self.check(dimensions)
        refined = self.schedule == "refined"
        middle = STEPS // 2 if refined else 0
        if refined:
            grid = self._grid
            centres, _ = grid_centres(inside, self.k, lambda many: self._drawn(grid, many), self._width(grid))
        else:
            centres = sphere_packing(self.k, dimensions)
        sums = np.zeros((self.k, dimensions + 1), np.int64)
        sizes = np.zeros(self.k, np.int64)
        for noise in self._rounds(dimensions):
            cluster_sums(inside, np.rint(centres * STEPS).astype(np.int64), middle, sums)
            sizes = sums[:, 0] + self._drawn(noise.count, self.k)
            totals = sums[:, 1:] + self._drawn(noise.total, self.k * dimensions).reshape(self.k, dimensions)
            moved = (totals / np.maximum(sizes, 1)[:, None] + middle) / STEPS
            # Where the count may be noise alone, a centre stays where it was.
            crowded = sizes > (2 * self._width(noise.count) if refined else 0)
            centres = np.where(crowded[:, None], np.clip(moved, 0, 1), centres)
        return Clusters(centres, sizes)

    def told(self, learned: Clusters, lows: Sequence[float], highs: Sequence[float]) -> dict[str, Json]:
        """Centres and sizes."""
        return {"centres": in_units(learned.centres, lows, highs).tolist(), "sizes": learned.sizes.tolist()}

    def _drawn(self, size: Fraction, number: int) -> NDArray[np.int64]:
        return gaussian_noise(size, number) if self.delta else laplace_noise(size, number)

    def _width(self, size: Fraction) -> float:
        return math.sqrt(float(size)) if self.delta else float(size)

    @property
    def _grid(self) -> Fraction:
        """The noise on the cells of the grid, which costs half."""
        if self.delta:
            return 1 / rho_for(self.epsilon, self.delta)
        return 2 / self.epsilon

    def _rounds(self, dimensions: int) -> list[_Noise]:
        """The noise of every iteration: all of them together cost ε, or less."""
        number, d = self.iterations, dimensions
        if self.schedule != "refined":
            # Count and d sums, each of which one point of the unit cube moves by 1 at most.
            each = [
                self.epsilon / (number if self.schedule == "fixed" else 2 ** (turn + 1))
                for turn in range(number)
            ]
            return [_Noise((d + 1) / epsilon, STEPS * (d + 1) / epsilon) for epsilon in each]
        reach = Fraction(STEPS, 2)  # of one point on one sum, measured from the middle
        if self.delta:
            rho = rho_for(self.epsilon, self.delta) / 2 / number
            ratio = Fraction(math.sqrt(5 * d)).limit_denominator(1000)
            count = rho / (1 + ratio)
            return [_Noise(1 / (2 * count), d * reach**2 / (2 * (rho - count)))] * number
        ratio = Fraction((4 * d * _TYPICAL**2) ** (1 / 3)).limit_denominator(1000)
        count = self.epsilon / 2 / number / (1 + d * ratio)
        return [_Noise(1 / count, reach / (count * ratio))] * number
