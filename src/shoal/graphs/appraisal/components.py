"""The pieces that a graph falls into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.outcome import Json
from shoal.graphs.graph import Graph, Int32, Int64


@dataclass(frozen=True, eq=False)
class Components:
    """Which piece every node is in, and how large the pieces are."""

    which: Int32
    sizes: Int64

    @classmethod
    def of(cls, graph: Graph) -> Components:
        """Those of an undirected graph."""
        from shoal.graphs.appraisal import measure_kernels as kernels

        which = kernels.components_of(graph.offsets, graph.targets)
        return cls(which, np.bincount(which) if len(which) else np.zeros(0, np.int64))

    @property
    def summary(self) -> Pieces:
        """The same in three numbers."""
        alone = int(np.count_nonzero(self.sizes == 1))
        return Pieces(len(self.sizes), int(self.sizes.max(initial=0)), alone)

    @property
    def joined_pairs(self) -> int:
        """Ordered pairs of different nodes with a path between them."""
        return int((self.sizes * (self.sizes - 1)).sum())


@dataclass(frozen=True)
class Pieces:
    """How many pieces there are, how many people the largest has, and how many people have no edge."""

    number: int
    largest: int
    alone: int

    def to_json(self) -> dict[str, Json]:
        return {"number": self.number, "largest": self.largest, "alone": self.alone}
