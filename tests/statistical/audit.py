"""ε bounded from below by what a mechanism does: no more than it promised, or it is broken."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.queries.auditing import lower_bound

Draws = NDArray[np.int64]
SURE = 1 - 4e-9  # one of the four bounds is wrong once in 10^9


def epsilon_from_below(one: Any, other: Any, delta: float = 0.0) -> float:
    """The bound of `shoal query audit`, so sure that a test may rest on it."""
    return lower_bound.epsilon_from_below(one, other, delta, SURE)
