"""Whether draws follow a law: χ² with bins large enough, and exact probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from mpmath import exp, mp, mpf  # type: ignore[import-untyped]
from numpy.typing import NDArray
from scipy.stats import chi2

ALARM = 1e-8  # how often a right sampler is called wrong
_LEAST = 20  # expected in a bin


def real(value: Fraction) -> mpf:
    """A fraction with 50 digits."""
    mp.dps = 50
    return mpf(value.numerator) / value.denominator


def laplace_pmf(scale: Fraction, reach: int) -> dict[int, float]:
    """P(x) of the discrete Laplace law for |x| up to a reach."""
    ratio = exp(-1 / real(scale))
    return {x: float((1 - ratio) / (1 + ratio) * ratio ** abs(x)) for x in range(-reach, reach + 1)}


def gaussian_pmf(variance: Fraction, reach: int) -> dict[int, float]:
    """P(x) of the discrete Gaussian law for |x| up to a reach."""
    weights = {x: exp(-mpf(x * x) / (2 * real(variance))) for x in range(-20 * reach, 20 * reach + 1)}
    total = sum(weights.values())
    return {x: float(weights[x] / total) for x in range(-reach, reach + 1)}


def fits(draws: NDArray[np.int64], law: Mapping[int, float]) -> float:
    """The p-value of χ²: what the law does not name, and bins that would be too small, are one bin."""
    number = len(draws)
    values, seen = np.unique(draws, return_counts=True)
    found = dict(zip(values.tolist(), seen.tolist(), strict=True))
    large = {x: number * p for x, p in law.items() if number * p >= _LEAST}
    statistic = sum((found.get(x, 0) - wanted) ** 2 / wanted for x, wanted in large.items())
    rest = number - sum(found.get(x, 0) for x in large)
    left = max(number - sum(large.values()), 0.0)
    bins = len(large)
    if left >= _LEAST:
        statistic, bins = statistic + (rest - left) ** 2 / left, bins + 1
    elif rest > left + 12 * np.sqrt(left + 9):
        return 0.0
    return float(chi2.sf(statistic, bins - 1)) if bins > 1 else 1.0


def same(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """The p-value of χ² for two samples from one law."""
    edges = np.unique(np.quantile(np.concatenate((one, other)), np.linspace(0, 1, 40)))
    counts = np.array([np.bincount(np.searchsorted(edges, s), minlength=len(edges)) for s in (one, other)])
    counts = counts[:, counts.sum(axis=0) >= 2 * _LEAST].astype(np.float64)
    if counts.shape[1] < 2:
        return 1.0
    shares = counts.sum(axis=1, keepdims=True) / counts.sum()
    wanted = shares * counts.sum(axis=0)
    return float(chi2.sf(((counts - wanted) ** 2 / wanted).sum(), counts.shape[1] - 1))
