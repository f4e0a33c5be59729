"""A graph under change, as the editing kernels see it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphs.building.small import Pair, pairs_of
from shoal.graphs.graph import Graph, Int32, Int64

Int8 = NDArray[np.int8]


class Bench:
    """Rows, the table of changes and what every node needs; `pairs` is the graph as it is now."""

    def __init__(self, graph: Graph, need: Int64) -> None:
        self.graph = graph
        self.need = need.astype(np.int64)
        self.keys, self.signs = np.full(1024, -1, np.int64), np.zeros(1024, np.int8)
        self.goal = graph.degrees + need

    @property
    def table(self) -> tuple[Int64, Int32, Int64, Int8]:
        return (self.graph.offsets, self.graph.targets, self.keys, self.signs)

    @property
    def arguments(self) -> tuple[Int64, Int32, Int64, Int8, Int64]:
        return (*self.table, self.need)

    def changed(self, sign: int) -> set[Pair]:
        keys = self.keys[self.signs == sign]
        return {divmod(int(key), self.graph.nodes) for key in keys}

    @property
    def pairs(self) -> set[Pair]:
        before = pairs_of(self.graph)
        assert not self.changed(1) & before, "an edge was added that was there"
        assert self.changed(-1) <= before, "an edge was removed that was not there"
        return before - self.changed(-1) | self.changed(1)

    def check(self) -> None:
        """What was done is what is no longer needed."""
        degrees = np.zeros(self.graph.nodes, np.int64)
        for one, other in self.pairs:
            assert one < other
            degrees[[one, other]] += 1
        assert (degrees + self.need == self.goal).all()


def ranked(amounts: Int64) -> Int64:
    nodes = np.flatnonzero(amounts > 0)
    return nodes[np.argsort(-amounts[nodes], kind="stable")]


def bench(graph: Graph, seed: int, low: int, high: int) -> Bench:
    """Needs at random that leave every degree possible."""
    need = np.random.default_rng(seed).integers(low, high + 1, graph.nodes)
    return Bench(graph, np.clip(need, -graph.degrees, graph.nodes - 1 - graph.degrees))
