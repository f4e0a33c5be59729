"""A column of an original and of its release on one level, where every group has labels of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import Label

FEW = 40  # labels that a picture still shows
Counts = list[tuple[Label, int]]


@dataclass(frozen=True)
class SharedLevel:
    """Rows of both sides under the labels of one level, in their order."""

    level: int
    before: Counts
    after: Counts


def shared_level(before: pl.Series, after: pl.Series, hierarchy: Hierarchy) -> SharedLevel | None:
    """The finest level with few labels; None where the release has a label that the hierarchy does not know.

    A label of the release that covers several labels of the level is spread evenly over its values.
    """
    order = LeafOrder.of(hierarchy)
    level = next(
        height
        for height, names in enumerate(hierarchy.names)
        if len(names) <= FEW or height == hierarchy.height
    )
    leaves = len(order.leaf_at)
    known, released = before.value_counts(name="rows"), after.value_counts(name="rows")
    there, stretches = (
        [order.stretch_of(label) for label in side.to_series(0).to_list()] for side in (known, released)
    )
    ends = [one for one in stretches if one is not None]
    if len(ends) < len(stretches) or None in there:
        return None
    begun = np.zeros(leaves + 1)
    for (first, last), rows in zip(ends, released["rows"].to_list(), strict=True):
        begun[first] += rows / (last - first + 1)
        begun[last + 1] -= rows / (last - first + 1)
    had = np.zeros(leaves)
    for one, rows in zip(there, known["rows"].to_list(), strict=True):
        had[one[0] if one is not None else 0] += rows
    names, codes = hierarchy.names[level], order.codes[level]
    along = list(dict.fromkeys(codes.tolist()))

    def counted(rows: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Counts:
        sums = np.bincount(codes, weights=rows, minlength=len(names))
        return [(names[code], round(float(sums[code]))) for code in along]

    return SharedLevel(level, counted(had), counted(np.cumsum(begun)[:-1]))
