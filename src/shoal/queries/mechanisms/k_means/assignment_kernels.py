"""Each point to its nearest centre: whole numbers, so that one point's place never depends on another's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int64 = NDArray[np.int64]


@compiled
def cluster_sums(points: Int64, centres: Int64, middle: int, out: Int64) -> None:
    """Per centre its points, and the sum of their coordinates less `middle`, into `out` (k × 1 + d).

    Squared distances of 20-bit numbers are exact. (A product of matrices would be faster; its rounding may
    depend on where in the table a row stands, and so on who else is there.)
    """
    out[:] = 0
    for row in range(points.shape[0]):
        nearest, least = 0, np.int64(-1)
        for centre in range(centres.shape[0]):
            far = np.int64(0)
            for axis in range(points.shape[1]):
                step = points[row, axis] - centres[centre, axis]
                far += step * step
            if least < 0 or far < least:
                nearest, least = centre, far
        out[nearest, 0] += 1
        for axis in range(points.shape[1]):
            out[nearest, axis + 1] += points[row, axis] - middle
