"""The degrees of some graph that are close to given ones."""

from __future__ import annotations

import numpy as np

from shoal.graphs.building.realisability import shortage
from shoal.graphs.graph import Int64


def made_realisable(degrees: Int64) -> Int64:
    """Degrees that a simple graph has: the highest are lowered as far as the others cannot serve them.

    Degrees below 0 or above n - 1 are cut off. It always ends, because the sum falls with every round, and
    nobody having an edge is a graph.
    """
    found = np.clip(degrees, 0, max(0, len(degrees) - 1))
    while len(found):
        missing = shortage(found).missing
        if missing:
            found = levelled(found, missing)
        elif int(found.sum()) % 2:
            found[int(np.argmax(found))] -= 1  # an edge has two ends
        else:
            break
    return found


def levelled(degrees: Int64, less: int) -> Int64:
    """The highest brought down to one level, so that all together are less by a number."""
    low, high = 0, int(degrees.max())  # the lowest level that takes no more than that
    while low < high:
        middle = (low + high) // 2
        if int(np.maximum(degrees - middle, 0).sum()) <= less:
            high = middle
        else:
            low = middle + 1
    found = np.minimum(degrees, low)
    rest = min(less - int((degrees - found).sum()), int(found.sum()))
    found[np.flatnonzero(found == low)[:rest]] -= 1
    return found
