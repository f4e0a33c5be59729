"""The slide negative binomial against sums over its own probabilities."""

import math
import warnings

import numpy as np
import pytest

from shoal.tables.appraisal.population_uniques import Sample
from shoal.tables.measures.slide_negative_binomial import (
    Slide,
    SlideNegativeBinomial,
    classes_in_population,
    fit,
)


def probability(slide: Slide, size: int) -> float:
    more = size - 1
    ways = math.lgamma(slide.alpha + more) - math.lgamma(slide.alpha) - math.lgamma(more + 1)
    return math.exp(ways + slide.alpha * math.log(slide.beta) + more * math.log(1 - slide.beta))


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.1), (2.0, 0.3), (1.0, 0.9)])
@pytest.mark.parametrize("fraction", [0.05, 0.4, 0.9])
def test_what_a_class_shows_is_the_sum_over_its_sizes(alpha: float, beta: float, fraction: float) -> None:
    slide = Slide(alpha, beta)
    sizes = range(1, 400)
    assert sum(probability(slide, size) for size in sizes) == pytest.approx(1)
    assert sum(size * probability(slide, size) for size in sizes) == pytest.approx(slide.mean)
    assert slide.alone == pytest.approx(probability(slide, 1))
    for times in (1, 2):
        shown = sum(
            probability(slide, size)
            * math.comb(size, times)
            * fraction**times
            * (1 - fraction) ** (size - times)
            for size in sizes
        )
        assert slide.shown(times, fraction) == pytest.approx(shown)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.1), (2.0, 0.3), (5.0, 0.8)])
def test_a_sample_that_is_just_as_expected_gives_the_distribution_back(alpha: float, beta: float) -> None:
    slide, classes, fraction = Slide(alpha, beta), 1_000_000, 0.3
    ones, twos = (round(classes * slide.shown(times, fraction)) for times in (1, 2))
    rest = round(classes * slide.mean * fraction) - ones - 2 * twos
    sample = Sample.of(np.repeat([1, 2, rest], [ones, twos, 1]), round((ones + 2 * twos + rest) / fraction))
    found = fit(sample, classes)
    assert found is not None
    assert found.alone == pytest.approx(slide.alone, rel=0.02)
    for times, seen in ((1, ones), (2, twos)):
        assert classes * found.shown(times, fraction) == pytest.approx(seen, rel=1e-3)


def test_the_classes_of_a_population_are_estimated_as_haas_and_stokes_do() -> None:
    counts, q = {1: 30, 2: 10, 7: 2}, 0.25
    sample = Sample.of(np.repeat(list(counts), list(counts.values())), (30 + 20 + 14) * 4)
    first = sum(i * q**2 * (1 - q**2) ** (i - 1) * f for i, f in counts.items())
    second = sum((1 - q) ** i * ((1 + q) ** i - 1) * f for i, f in counts.items())
    third = sum((1 - q) ** i * f for i, f in counts.items())
    fourth = sum(i * q * (1 - q) ** (i - 1) * f for i, f in counts.items())
    expected = 42 + 30 * (first / second) * (third / fourth) ** 2
    assert classes_in_population(sample) == pytest.approx(expected)


def test_without_pairs_there_is_no_answer() -> None:
    found = SlideNegativeBinomial().measure(Sample.of(np.array([1, 1, 3]), 50))
    assert found.uniques is None and "two rows" in found.reason


def test_what_no_distribution_fits_has_no_answer() -> None:
    # Far more pairs than any of them expects beside so few uniques and nothing larger.
    found = SlideNegativeBinomial().measure(Sample.of(np.array([1, *[2] * 40]), 90))
    assert found.uniques is None and found.reason


def test_a_population_beyond_all_bounds_is_no_warning() -> None:
    sample = Sample.of(np.array([1, 1, 1, 2]), 10**30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = SlideNegativeBinomial().measure(sample)
    assert found.uniques is None and "cannot be" in found.reason
