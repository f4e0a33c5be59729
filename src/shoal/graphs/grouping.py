"""A graph of groups: how many people are in each, how many edges run inside and between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadGraph
from shoal.core.randomness import generator
from shoal.graphs.graph import Graph, Int32, Int64


@dataclass(frozen=True, eq=False)
class Grouping:
    """Super-nodes and super-edges: all that is left of a graph after k-sized grouping.

    Group g stands for `sizes[g]` people. Super-edge e says that `weights[e]` edges run between the people of
    groups `sources[e]` and `targets[e]` (source ≤ target; the same group twice: inside of it). Pairs of
    groups without edges are not listed. `worlds` are the graphs that fit these figures: the original is one
    of them, and nothing tells which. `sample` draws one, each as likely as the others.
    """

    sizes: Int64
    sources: Int32
    targets: Int32
    weights: Int64

    def __post_init__(self) -> None:
        for array in (self.sizes, self.sources, self.targets, self.weights):
            array.flags.writeable = False  # input is never altered
        if len(self.sizes) and int(self.sizes.min()) < 1:
            raise BadGraph(f"group {int(np.argmin(self.sizes))} is empty; a group has at least one person")
        if not len(self.sources):
            return
        _refuse_unknown(self.sources, self.targets, self.groups)
        keys = np.sort(self.sources.astype(np.int64) * self.groups + self.targets)
        if (keys[1:] == keys[:-1]).any():
            raise BadGraph("a super-edge is listed twice; give each pair of groups one weight")
        wrong = np.flatnonzero((self.weights < 1) | (self.weights > self.pairs))
        if len(wrong):
            edge = int(wrong[0])
            raise BadGraph(
                f"super-edge {self.sources[edge]}-{self.targets[edge]} stands for {self.weights[edge]:,} "
                f"edges among {self.pairs[edge]:,} pairs of people; from 1 to as many as there are pairs fit"
            )

    @classmethod
    def of_graph(cls, graph: Graph, group_of: NDArray[np.integer] | Sequence[int]) -> Grouping:
        """Group g stands for the nodes with `group_of` = g; direction is dropped."""
        graph, belongs = graph.undirected(), np.asarray(group_of, np.int64)
        if len(belongs) != graph.nodes:
            raise BadGraph(f"{len(belongs):,} groups are given for {graph.nodes:,} nodes; give one per node")
        if len(belongs) and int(belongs.min()) < 0:
            raise BadGraph(f"no group {int(belongs.min())}; groups are numbered from 0")
        sizes = np.bincount(belongs)
        ends = graph.edge_list()
        one, other = belongs[ends.sources], belongs[ends.targets]
        groups = max(len(sizes), 1)
        keys = np.minimum(one, other) * groups + np.maximum(one, other)
        found, weights = np.unique(keys, return_counts=True)
        return cls(
            sizes.astype(np.int64),
            (found // groups).astype(np.int32),
            (found % groups).astype(np.int32),
            weights.astype(np.int64),
        )

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

    @cached_property
    def pairs(self) -> Int64:
        """Per super-edge, how many pairs of people it runs between."""
        one, other = self.sizes[self.sources], self.sizes[self.targets]
        return np.where(self.sources == self.targets, one * (one - 1) // 2, one * other)

    @property
    def densities(self) -> NDArray[np.float64]:
        """Per super-edge, how likely an edge is between two people of whom only the groups are known."""
        return np.asarray(self.weights / self.pairs)

    @property
    def sure_edges(self) -> int:
        """How many edges are certain, because everybody of one group is linked to everybody of the other."""
        return int(self.weights[self.weights == self.pairs].sum())

    @property
    def log_worlds(self) -> float:
        """The natural logarithm of how many graphs fit."""
        from shoal.graphs import possible_worlds

        return possible_worlds.log_worlds(self)

    def sample(self, seed: int | np.random.Generator | None = None) -> Graph:
        """One of the graphs that fit, each as likely as the others.

        Its nodes are new people, those of group 0 first; who was who in the original is not in it.
        """
        from shoal.graphs import possible_worlds

        return possible_worlds.sample(
            self, generator(seed) if seed is None or isinstance(seed, int) else seed
        )


def _refuse_unknown(sources: Int32, targets: Int32, groups: int) -> None:
    low, high = int(min(sources.min(), targets.min())), int(max(sources.max(), targets.max()))
    if low < 0 or high >= groups:
        raise BadGraph(f"no group {low if low < 0 else high}; the groups are 0 to {groups - 1}")
    if (sources > targets).any():
        edge = int(np.argmax(sources > targets))
        raise BadGraph(
            f"super-edge {sources[edge]}-{targets[edge]} is turned around; the smaller group first"
        )
