"""Upper limits on the share that a value may have in a class: whether they hold, and what must go if not.

Confidence bounding, (α,k)-anonymity and β-likeness differ only in where the limit comes from.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.text_values import Label

Floats = NDArray[np.float64]

# A share and a limit that are equal in decimals differ in the last digits; this forgives those, no more.
ROUNDING = 1e-12


def among(counts: ValueCounts, named: Collection[Label]) -> Mask:
    """Per count, whether its value is one of those named."""
    named = set(named)
    return np.array([value in named for value in counts.domain.values], np.bool_)[counts.values]


def limits(counts: ValueCounts, share: float, named: Collection[Label]) -> Floats:
    """Per count, the most its share may be: the same for all values, or for those named only."""
    if not named:
        return np.full(len(counts.counts), share)
    return np.where(among(counts, named), share, 1.0)


def within(counts: ValueCounts, limit: Floats) -> Mask:
    """Per class, whether no value has more than its limit allows."""
    allowed = limit * _class_sizes(counts) * (1 + ROUNDING)
    return np.logical_and.reduceat(counts.counts <= allowed, counts.offsets[:-1])


def surplus(counts: ValueCounts, limit: Floats) -> Floats:
    """Per class, rows that no refinement can release: parts within the limits add up to a whole within them.

    Of n rows c have the value; when x rows go, at least c - x of n - x are left with it, and that must be at
    most the limit h of n - x. So x ≥ (c - h·n) / (1 - h).
    """
    sizes, starts = _class_sizes(counts), counts.offsets[:-1]
    over = counts.counts - limit * sizes * (1 + ROUNDING)
    least = np.ceil(over / np.maximum(1 - limit, ROUNDING) - 1e-6)
    least = np.where((over > 0) & (limit < 1), np.clip(least, 1, counts.counts), 0.0)
    lost = np.maximum.reduceat(least, starts)
    # Where the limits of all values that occur do not add up to 1, no part can be filled.
    hopeless = np.add.reduceat(np.minimum(limit, 1.0), starts) < 1 - 1e-9
    return np.where(hopeless, counts.sizes, lost).astype(np.float64)


def _class_sizes(counts: ValueCounts) -> NDArray[np.int64]:
    return np.repeat(counts.sizes, np.diff(counts.offsets))
