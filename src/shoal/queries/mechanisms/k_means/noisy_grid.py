"""Centres to begin with, found on a noisy histogram of the whole cube."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from shoal.core.randomness import generator
from shoal.queries.learner import STEPS

CELLS = 4096
_RESTARTS, _ROUNDS = 20, 15
Draw = Callable[[int], NDArray[np.int64]]


def grid_centres(
    points: NDArray[np.int64], k: int, draw: Draw, width: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Centres of k clusters of the cells that noise leaves, and the counts of all cells with their noise.

    Every cell of a grid of at most 4,096 cells is counted with noise (`width` is its usual size), which one
    point moves by 1. What follows looks at those counts alone: k-means++ and Lloyd's iterations, each cell
    weighing as much as it counts, and the best of twenty tries.

    Su, Cao, Li, Bertino, Jin, "Differentially private k-means clustering", 2016 (the hybrid of a uniform grid
    and Lloyd's iterations).
    """
    shape = _shape(points.shape[1])
    cells = math.prod(shape)
    cut = np.minimum(points * np.array(shape) // STEPS, np.array(shape) - 1)
    place = np.ravel_multi_index(tuple(cut.T), shape)
    counts = np.bincount(place, minlength=cells) + draw(cells)
    middles = np.stack(np.unravel_index(np.arange(cells), shape), axis=1)
    middles = (middles + 0.5) / np.array(shape)
    weights = np.where(counts > width * math.log(max(cells, 3)), counts, 0).astype(np.float64)
    return _clustered(middles, weights, k), counts


def _shape(dimensions: int) -> tuple[int, ...]:
    """How many parts each column is cut into: as many as fit, and few columns at all where there are many."""
    bins = max(2, math.floor(CELLS ** (1 / dimensions) + 1e-9))
    cut = min(dimensions, int(math.log(CELLS, bins) + 1e-9))
    return (*[bins] * cut, *[1] * (dimensions - cut))


def _clustered(middles: NDArray[np.float64], weights: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    chance = generator(None)
    if not weights.any():
        return chance.random((k, middles.shape[1]))
    there = np.flatnonzero(weights)
    points, weights = middles[there], weights[there]
    if len(points) <= k:
        return np.vstack([points, chance.random((k - len(points), points.shape[1]))])
    best, least = points[:1], math.inf
    for _ in range(_RESTARTS):
        centres = _spread_out(points, weights, k, chance)
        for _ in range(_ROUNDS):
            far = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
            near = far.argmin(axis=1)
            sums = np.bincount(near, weights, k)
            for axis in range(points.shape[1]):
                total = np.bincount(near, weights * points[:, axis], k)
                centres[:, axis] = np.where(sums > 0, total / np.maximum(sums, 1e-9), centres[:, axis])
        cost = float((((points[:, None] - centres[None]) ** 2).sum(axis=2).min(axis=1) * weights).sum())
        if cost < least:
            best, least = centres, cost
    # Cells are coarse: a little chance keeps centres of one cell apart.
    return np.clip(best + chance.normal(0, 1e-3, best.shape), 0, 1)


def _spread_out(
    points: NDArray[np.float64], weights: NDArray[np.float64], k: int, chance: np.random.Generator
) -> NDArray[np.float64]:
    """k-means++: each next centre by its squared distance from the ones before."""
    found = [points[chance.choice(len(points), p=weights / weights.sum())]]
    for _ in range(k - 1):
        far = np.min([((points - centre) ** 2).sum(axis=1) for centre in found], axis=0) * weights
        sums = far.sum()
        found.append(points[chance.choice(len(points), p=far / sums if sums > 0 else None)])
    return np.array(found)
