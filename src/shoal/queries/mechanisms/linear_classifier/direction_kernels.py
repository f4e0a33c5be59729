"""How many points each candidate direction puts on the right side; each point is looked at by itself."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int64 = NDArray[np.int64]


@compiled
def circle_scores(points: Int64, labels: Int64, steps: int, out: Int64) -> None:
    """Points right per direction of a circle of so many steps (a multiple of 4), in one pass.

    A point is on the right side of all directions in the half circle around its own, or of none of those: two
    entries of a table of differences. Which step a point's own direction is on is its business alone.
    """
    out[:] = 0
    quarter = steps // 4
    everywhere = 0
    for row in range(points.shape[0]):
        if points[row, 0] == 0 and points[row, 1] == 0:
            everywhere += labels[row]  # its product with every direction is 0, which counts as A
            continue
        turn = math.atan2(points[row, 1], points[row, 0]) / (2 * math.pi)
        own = math.floor(turn * steps + 0.5) % steps
        # The half circle where the product is not negative, for A; the other one for B.
        first = (own - quarter) % steps if labels[row] else (own + quarter + 1) % steps
        length = 2 * quarter + 1 if labels[row] else steps - 2 * quarter - 1
        out[first] += 1
        if first + length < steps:
            out[first + length] -= 1
        elif first + length > steps:
            out[0] += 1
            out[first + length - steps] -= 1
    total = np.int64(everywhere)
    for place in range(steps):
        total += out[place]
        out[place] = total


@compiled
def candidate_scores(points: Int64, labels: Int64, directions: Int64, out: Int64) -> None:
    """The same for a list of directions in any number of dimensions."""
    out[:] = 0
    for row in range(points.shape[0]):
        for candidate in range(directions.shape[0]):
            product = np.int64(0)
            for axis in range(points.shape[1]):
                product += points[row, axis] * directions[candidate, axis]
            if (product >= 0) == (labels[row] == 1):
                out[candidate] += 1
