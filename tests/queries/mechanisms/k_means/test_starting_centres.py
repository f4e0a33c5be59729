"""Centres to begin with: inside, and far from each other."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.queries.mechanisms.k_means.starting_centres import sphere_packing


@pytest.mark.parametrize(("k", "dimensions"), [(1, 1), (4, 2), (9, 5)])
def test_centres_are_in_the_cube_and_apart(k: int, dimensions: int) -> None:
    found = sphere_packing(k, dimensions)
    assert found.shape == (k, dimensions) and (found >= 0).all() and (found <= 1).all()
    far = np.sqrt(((found[:, None] - found[None]) ** 2).sum(axis=2)) + 10 * np.eye(k)
    assert far.min() > 0.2
