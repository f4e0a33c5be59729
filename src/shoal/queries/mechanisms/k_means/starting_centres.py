"""Centres to begin with, chosen without a look at the points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.randomness import generator

_HALVINGS = 12
_TRIES = 50  # for one centre, before its distance is given up


def sphere_packing(k: int, dimensions: int) -> NDArray[np.float64]:
    """Points of the unit cube, far from each other and half as far from its sides.

    The largest distance at which chance still finds room for all, by halving.

    Su, Cao, Li, Bertino, Jin, "Differentially private k-means clustering", 2016.
    """
    chance = generator(None)
    best = chance.random((k, dimensions))
    low, high = 0.0, 0.5
    for _ in range(_HALVINGS):
        radius = (low + high) / 2
        found = _packed(k, dimensions, radius, chance)
        if found is None:
            high = radius
        else:
            best, low = found, radius
    return best


def _packed(
    k: int, dimensions: int, radius: float, chance: np.random.Generator
) -> NDArray[np.float64] | None:
    found: list[NDArray[np.float64]] = []
    for _ in range(k):
        for _ in range(_TRIES):
            point = radius + (1 - 2 * radius) * chance.random(dimensions)
            if all(((point - other) ** 2).sum() >= (2 * radius) ** 2 for other in found):
                found.append(point)
                break
        else:
            return None
    return np.array(found)
