"""Alone in the release, alone in the population."""

import numpy as np

from shoal.tables.measures.risk import Exposure
from shoal.tables.measures.uniqueness import Uniqueness


def test_only_some_who_are_alone_in_the_release_are_alone_in_the_population() -> None:
    found = Uniqueness().measure(Exposure(np.array([1, 1, 1, 2]), np.array([1, 4, 1, 2])))
    assert (found.sample, found.rows, found.population) == (3, 5, 2)
    assert found.sample_share == 3 / 5 and found.kept == 2 / 3


def test_without_a_population_nobody_can_tell() -> None:
    found = Uniqueness().measure(Exposure.of_sample(np.array([1, 3])))
    assert found.population is None and found.kept is None
    assert found.to_json()["population_uniques_among_them"] is None


def test_without_uniques_there_are_none() -> None:
    found = Uniqueness().measure(Exposure(np.array([2, 3]), np.array([2, 5])))
    assert (found.sample, found.population, found.kept) == (0, 0, 0)
