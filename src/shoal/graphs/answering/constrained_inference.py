"""Noisy numbers made to look like what they stand for. It sees nothing but them, so it costs no privacy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


def never_falling(values: NDArray[np.integer]) -> Float64:
    """The nearest numbers, in squares, that never fall.

    Noise on numbers that are alike cancels out, and where the true numbers never fall, no sum of errors (or
    of their squares) grows: Hay, Rastogi, Miklau, Suciu 2010; Yang and Barber 2019.
    """
    from shoal.graphs.answering import private_answer_kernels as kernels

    return np.asarray(kernels.pool_neighbours(values.astype(np.float64)))


def never_rising(values: NDArray[np.integer]) -> Float64:
    """The nearest numbers, in squares, that never rise."""
    return never_falling(values[::-1])[::-1]


def shares_of(values: NDArray[np.integer], total: int) -> Int64:
    """The nearest whole numbers, in squares but for rounding, that are 0 or more and add up to a total."""
    if not len(values):
        return np.zeros(0, np.int64)
    # All are lowered alike, and what falls below 0 stays there.
    falling = np.sort(values.astype(np.float64))[::-1]
    lowered = (np.cumsum(falling) - total) / np.arange(1, len(values) + 1)
    level = float(lowered[np.flatnonzero(falling > lowered)[-1]] if total else falling[0])
    exact = np.maximum(values - level, 0.0)
    whole: Int64 = np.floor(exact).astype(np.int64)
    missing = total - int(whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:missing]] += 1
    return whole
