"""Questions in a row, most of which cost nothing: the median mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.queries.answering.range_counts import range_counts

MOST_DATABASES = 200_000


@dataclass(frozen=True)
class MedianMechanism(Mechanism[NDArray[np.int64], NDArray[np.float64]]):
    """Counts of all ranges of a small domain, shortest first; only hard ones cost: ε in all.

    All histograms of `grain` rows over the domain are kept at first, scaled to the noisy number of rows.
    A range is answered by the median of what is kept. Whether that is off by more than `tolerance` rows
    is asked of the sparse vector technique; only then the range is counted with noise, and what disagrees
    with it is dropped. After `hard` such counts medians alone answer. One twentieth of ε buys the number
    of rows, half of the rest the questions about medians, half the counts. For small domains only: the
    histograms are listed.

    Roth, Roughgarden, "Interactive privacy via the median mechanism", 2010; as sparse vector and an
    iterative database construction, Gupta, Roth, Ullman, "Iterative constructions and private data
    release", 2012.
    """

    name: ClassVar[str] = "median-mechanism"
    example: ClassVar[str] = "epsilon=1,tolerance=1,hard=1,grain=3"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((3, 0, 1), (3, 1, 1))

    epsilon: Fraction
    tolerance: int
    hard: int = 5
    grain: int = 8

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        whole(self, tolerance=1, hard=1, grain=1)
        check_scale(max(20, 9 * self.hard) / self.epsilon)

    def release(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """An answer for every range."""
        inside = integers(counts, 0, 2**40).ravel()
        databases = _databases(len(inside), self.grain)
        ranges = range_counts(len(inside))
        whole_cost = self.epsilon / 20
        total = max(1, int(inside.sum()) + int(laplace_noise(1 / whole_cost, 1)[0]))
        half = (self.epsilon - whole_cost) / 2
        answers: NDArray[np.float64] = (databases @ ranges.T).astype(np.float64) * (total / self.grain)
        kept = np.ones(len(databases), np.bool_)
        # Sparse vector (Lyu, Su, Li 2017, algorithm 1): half on the threshold, half on the tests.
        threshold = self.tolerance + int(laplace_noise(2 / half, 1)[0])
        left, told = self.hard, []
        for place, one in enumerate(ranges):
            median = float(np.median(answers[kept, place]))
            if left:
                truth = int(one @ inside)
                # The median is whole here, so that the difference is; a row moves it by 1.
                off = abs(truth - round(median)) + int(laplace_noise(4 * self.hard / half, 1)[0])
                if off >= threshold:
                    left -= 1
                    median = float(truth + int(laplace_noise(self.hard / half, 1)[0]))
                    near = kept & (np.abs(answers[:, place] - median) <= self.tolerance)
                    # Where nothing agrees, the nearest half is the best there is.
                    kept = near if near.any() else _nearest_half(kept, answers[:, place], median)
            told.append(median)
        return np.array(told)


def _nearest_half(kept: NDArray[np.bool_], answers: NDArray[np.float64], told: float) -> NDArray[np.bool_]:
    off = np.abs(answers - told)
    return np.asarray(kept & (off <= np.median(off[kept])))


@lru_cache(maxsize=8)
def _databases(cells: int, grain: int) -> NDArray[np.int64]:
    """All histograms of so many rows over so many cells."""
    number = math.comb(grain + cells - 1, cells - 1) if cells else 0
    if not 1 <= number <= MOST_DATABASES:
        raise BadParameter(
            f"there are {number:,} histograms of {grain} rows over {cells} cells, and median-mechanism lists "
            f"{MOST_DATABASES:,} at most; lower grain, coarsen the domain, or use mwem"
        )
    # A histogram is cells - 1 bars among the rows.
    bars = np.array(list(combinations(range(grain + cells - 1), cells - 1)), np.int64).reshape(
        number, cells - 1
    )
    ends = np.hstack([np.full((number, 1), -1), bars, np.full((number, 1), grain + cells - 1)])
    return np.diff(ends, axis=1) - 1
