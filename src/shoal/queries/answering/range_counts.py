"""All ranges of an ordered domain, as the cells that each adds up."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter

MOST_CELLS = 256


@lru_cache(maxsize=16)
def range_counts(cells: int) -> NDArray[np.int64]:
    """A row of noughts and ones for each range, the shortest first."""
    if not 1 <= cells <= MOST_CELLS:
        raise BadParameter(f"a domain of {cells:,} cells; there may be 1 to {MOST_CELLS}, so coarsen it")
    places = np.arange(cells)
    found = [
        (places >= first) & (places < first + length)
        for length in range(1, cells + 1)
        for first in range(cells - length + 1)
    ]
    return np.array(found, np.int64)
