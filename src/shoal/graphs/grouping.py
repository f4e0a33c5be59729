"""A graph of groups: how many people are in each, how many edges run inside and between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Super-nodes and super-edges: all that is left of a graph after k-sized grouping.

    Group g stands for `sizes[g]` people. Super-edge e says that `weights[e]` edges run between the people of
    groups `sources[e]` and `targets[e]` (source ≤ target; the same group twice: inside of it). Pairs of
    groups without edges are not listed.
    """

    sizes: Int64
    sources: Int32
    targets: Int32
    weights: Int64

    @property
    def groups(self) -> int:
        """How many super-nodes there are."""
        return len(self.sizes)

    @property
    def nodes(self) -> int:
        """How many people all groups stand for."""
        return int(self.sizes.sum())

    @property
    def edges(self) -> int:
        """How many edges all super-edges stand for."""
        return int(self.weights.sum())
