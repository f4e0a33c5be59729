"""T6 of the mission: estimates of population uniques against populations whose uniques are counted."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from papers.test_adult import ADULT, needs_adult
from shoal.tables.appraisal.population_uniques import Ints, Sample
from shoal.tables.measures.dankar import Dankar
from shoal.tables.measures.pitman import Pitman
from shoal.tables.measures.slide_negative_binomial import SlideNegativeBinomial
from shoal.tables.measures.zayatz import Zayatz


def sample_of(sizes: Ints, fraction: float, seed: int = 7) -> Sample:
    """A random sample of a population with classes of these sizes."""
    people = np.repeat(np.arange(len(sizes)), sizes)
    drawn = np.random.default_rng(seed).choice(people, round(fraction * len(people)), replace=False)
    shown = np.bincount(drawn)
    return Sample.of(shown[shown > 0], len(people))


def pitman_population(alpha: float, theta: float, people: int) -> Ints:
    """Class sizes of Pitman's process, person by person."""
    chance = np.random.default_rng(3)
    of = np.empty(people, np.int64)
    sizes: list[int] = []
    for person in range(people):
        if chance.random() * (theta + person) < theta + alpha * len(sizes):
            of[person] = len(sizes)
            sizes.append(1)
            continue
        while True:  # a random earlier person's class, taken with (size − α)/size
            at = of[chance.integers(person)]
            if chance.random() * sizes[at] < sizes[at] - alpha:
                break
        of[person] = at
        sizes[at] += 1
    return np.array(sizes)


def uniques(sizes: Ints) -> int:
    return int((sizes == 1).sum())


@pytest.mark.parametrize(("alpha", "theta"), [(0.5, 100), (0.2, 400), (0.0, 300)])
@pytest.mark.parametrize("fraction", [0.05, 0.1])
def test_pitman_finds_the_uniques_of_its_own_process(alpha: float, theta: float, fraction: float) -> None:
    sizes = pitman_population(alpha, theta, 20_000)
    found = Pitman().measure(sample_of(sizes, fraction))
    assert found.uniques == pytest.approx(uniques(sizes), rel=0.25)
    assert Dankar().measure(sample_of(sizes, fraction)).uniques == found.uniques


@pytest.mark.parametrize(("shape", "success"), [(0.5, 0.1), (2.0, 0.3)])
@pytest.mark.parametrize("fraction", [0.4, 0.7])
def test_the_slide_negative_binomial_finds_the_uniques_of_its_own_kind(
    shape: float, success: float, fraction: float
) -> None:
    sizes = 1 + np.random.default_rng(5).negative_binomial(shape, success, 30_000)
    sample = sample_of(sizes, fraction)
    assert SlideNegativeBinomial().measure(sample).uniques == pytest.approx(uniques(sizes), rel=0.1)
    assert Dankar().measure(sample).uniques == pytest.approx(uniques(sizes), rel=0.1)


@pytest.mark.parametrize("fraction", [0.1, 0.3, 0.7])
def test_zipf_populations_are_estimated_by_the_rule(fraction: float) -> None:
    chances = 1 / np.arange(1, 100_001) ** 1.1
    drawn = np.random.default_rng(9).choice(len(chances), 60_000, p=chances / chances.sum())
    sizes = np.bincount(drawn)
    sizes = sizes[sizes > 0]
    assert Dankar().measure(sample_of(sizes, fraction)).uniques == pytest.approx(uniques(sizes), rel=0.3)


def test_zayatz_is_rather_too_high_and_the_closer_the_larger_the_sample() -> None:
    sizes = 1 + np.random.default_rng(5).negative_binomial(1.0, 0.2, 20_000)
    found = [Zayatz().measure(sample_of(sizes, fraction)).uniques or 0 for fraction in (0.05, 0.2, 0.6, 0.9)]
    errors = [abs(estimate - uniques(sizes)) for estimate in found]
    assert errors == sorted(errors, reverse=True) and found[0] > uniques(sizes)
    assert found[-1] == pytest.approx(uniques(sizes), rel=0.05)


@needs_adult
@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.3, 0.7])
def test_the_uniques_of_adult_are_estimated_from_a_sample(fraction: float) -> None:
    assert ADULT is not None
    quasi = ["age", "sex", "race", "marital-status", "education"]
    adult = pl.read_csv(ADULT / "adult.csv", separator=";", infer_schema=False)
    alone = adult.group_by(quasi).len().filter(pl.col("len") == 1).height
    sample = adult.sample(fraction=fraction, seed=11)
    found = shoal.measure(sample, quasi=quasi, population=adult, combinations=0).risks
    # Alone in both, counted: about the fraction of those who are alone in the population.
    assert found.uniques.population == pytest.approx(alone * fraction, rel=0.2)
    estimate = found.estimates["dankar"]
    assert estimate.uniques == pytest.approx(alone, rel=0.3)
    assert estimate.rows == pytest.approx(found.uniques.population, rel=0.4)
