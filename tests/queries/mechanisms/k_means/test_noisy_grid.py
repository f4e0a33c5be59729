"""A noisy grid: what it counts, and the centres that are found on it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from shoal.queries.learner import STEPS
from shoal.queries.mechanisms.k_means.noisy_grid import CELLS, _shape, grid_centres


def nothing(number: int) -> NDArray[np.int64]:
    return np.zeros(number, np.int64)


def test_a_point_more_moves_one_cell_by_one() -> None:
    points = np.random.default_rng(1).integers(0, STEPS + 1, (50, 3))
    _, more = grid_centres(points, 2, nothing, 1.0)
    _, less = grid_centres(points[:-1], 2, nothing, 1.0)
    assert np.abs(more - less).sum() == 1 and more.sum() == 50


@pytest.mark.parametrize("dimensions", [1, 2, 5, 12, 40, 1000])
def test_the_grid_stays_small_in_any_number_of_dimensions(dimensions: int) -> None:
    assert 2 <= math.prod(_shape(dimensions)) <= CELLS and len(_shape(dimensions)) == dimensions


def test_separate_heaps_get_a_centre_each_and_no_points_some_anywhere() -> None:
    heaps = np.repeat(np.array([[0.1, 0.1], [0.9, 0.2], [0.5, 0.8]]), 100, axis=0)
    jitter = np.random.default_rng(2).normal(0, 0.02, heaps.shape)
    centres, _ = grid_centres(((heaps + jitter) * STEPS).astype(np.int64), 3, nothing, 0.0)
    far = ((centres[:, None] - heaps[None, ::100]) ** 2).sum(axis=2)
    assert (far.min(axis=0) < 0.01).all()
    nobody, _ = grid_centres(np.zeros((0, 2), np.int64), 3, nothing, 1.0)
    assert nobody.shape == (3, 2)
