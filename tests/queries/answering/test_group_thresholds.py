"""Thresholds: the chance that somebody alone is named, added up exactly, stays below δ and not far below."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from shoal.queries.answering.group_thresholds import threshold
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.partition_selection import Selection
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian

Reals = NDArray[np.float64]


def tail_of_sum(law: Reals, numbers: int, reach: int) -> float:
    """P(sum ≥ reach) of independent draws, by adding up all of them."""
    total, middle = law, len(law) // 2
    for _ in range(numbers - 1):
        total = np.convolve(total, law)
    return float(total[numbers * middle + reach :].sum())


def laplace_law(scale: float, ends: int) -> Reals:
    weights = np.exp(-np.abs(np.arange(-ends, ends + 1)) / scale)
    return np.asarray(weights / weights.sum())


def gaussian_law(sigma: float, ends: int) -> Reals:
    weights = np.exp(-(np.arange(-ends, ends + 1) ** 2) / (2 * sigma**2))
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize("numbers", [1, 2, 3, 4])
@pytest.mark.parametrize(("width", "rows", "groups"), [(1, 1, 1), (16, 1, 1), (16, 4, 2), (16, 3, 3)])
@pytest.mark.parametrize("delta", [Fraction(1, 100), Fraction(1, 10**6)])
def test_somebody_alone_is_named_with_delta_at_most(
    numbers: int, width: int, rows: int, groups: int, delta: Fraction
) -> None:
    noise = Laplace(Fraction(1), Fraction(rows * width))
    at = threshold(noise, numbers, width, rows, groups, delta)
    law = laplace_law(rows * width, 40 * rows * width)

    def chance(least: int) -> float:
        """The worst way to divide the rows among groups."""
        ways = [[rows - number + 1] + [1] * (number - 1) for number in range(1, groups + 1)]
        return max(
            sum(tail_of_sum(law, numbers, least - width * own) for own in way if least > width * own)
            for way in ways
        )

    assert chance(at) <= float(delta)
    # Not much too high: by rounding alone where there are several numbers.
    loose = 1 if numbers == 1 else numbers + 1
    assert chance(at - loose) > float(delta) / (1 + float(delta)) * 0.999


@pytest.mark.parametrize("numbers", [1, 2, 3])
def test_gaussian_noise_names_nobody_more_often(numbers: int) -> None:
    noise = Gaussian(Fraction(1, 2), Fraction(64))
    at = threshold(noise, numbers, 64, 1, 1, Fraction(1, 10**6))
    found = tail_of_sum(gaussian_law(64, 64 * 12), numbers, at - 64)
    assert found <= 1e-6
    best = norm.isf(1e-6) * numbers**0.5 * 64
    assert at - 64 <= best * (1.03 if numbers == 1 else 1.12)


@pytest.mark.parametrize("numbers", [1, 2, 3])
@pytest.mark.parametrize(("width", "groups"), [(64, 1), (1, 5)])
def test_rounded_noise_names_nobody_more_often_and_hardly_less(numbers: int, width: int, groups: int) -> None:
    noise, delta = RoundedGaussian(Fraction(1), Fraction(width)), Fraction(1, 10**6)
    at = threshold(noise, numbers, width, 1, groups, delta)
    ends = np.arange(-12 * width, 12 * width + 2) - 0.5
    law = np.diff(norm.cdf(ends / width))
    assert groups * tail_of_sum(law, numbers, at - width) <= 1e-6 * (1 + 1e-9)
    assert groups * tail_of_sum(law, numbers, at - width - numbers - 1) > 0.9e-6


def test_one_number_of_one_group_has_the_threshold_of_selection() -> None:
    """Worked: ε = 1, δ = 10⁻⁶: 1 + 14; half of ε would have needed 28."""
    delta = Fraction(1, 10**6)
    assert threshold(Laplace(Fraction(1)), 1, 1, 1, 1, delta) == Selection(Fraction(1), delta).threshold == 15
    assert threshold(Laplace(Fraction(1, 2)), 1, 1, 1, 1, delta) == 28
