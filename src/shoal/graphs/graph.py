"""Nodes and edges as compressed rows: the subject of this pillar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadGraph

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

MOST_NODES = 2**31 - 1


@dataclass(frozen=True)
class Cleaning:
    """What was in the input and is not in the graph."""

    loops: int = 0  # edges from a node to itself
    duplicates: int = 0  # edges that were there already (in the same direction, where direction counts)
    merged: int = 0  # pairs of opposite edges that became one when direction was dropped
    undirected: bool = False  # direction was dropped
    weights: tuple[str, ...] = ()  # columns or attributes beyond the two ends, left out

    @property
    def notes(self) -> tuple[str, ...]:
        """The same in sentences; nothing where nothing was left out."""
        told = []
        if self.loops:
            told.append(f"{_count(self.loops, 'loop')} (an edge from a node to itself) left out")
        if self.duplicates:
            told.append(f"{_count(self.duplicates, 'repeated edge')} left out")
        if self.undirected:
            told.append(
                f"direction dropped, {_count(self.merged, 'pair')} of opposite edges became one edge each"
            )
        if self.weights:
            number = _count(len(self.weights), "further column or attribute", "further columns or attributes")
            told.append(f"{number} left out ({', '.join(self.weights)}): only nodes and edges are released")
        return tuple(told)


@dataclass(frozen=True)
class Edges:
    """Every edge once, by node number: where it starts and ends (the smaller end first, when undirected)."""

    sources: Int32
    targets: Int32

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph without loops and repeated edges.

    `targets[offsets[i]:offsets[i + 1]]` are the neighbours of node i in ascending order (those it points
    to, when directed); an undirected edge stands in both rows. `labels` are the names that nodes had in the
    input, as whole numbers or text; without them node i is called i. `kinds` is what a node is (such as a
    profession), for promises that compare it.
    """

    offsets: Int64
    targets: Int32
    labels: pl.Series | None = None
    directed: bool = False
    kinds: pl.Series | None = None
    cleaned: Cleaning = field(default_factory=Cleaning)

    def __post_init__(self) -> None:
        for array in (self.offsets, self.targets):
            array.flags.writeable = False  # input is never altered

    @classmethod
    def of_edges(
        cls,
        nodes: int,
        sources: NDArray[np.integer] | Sequence[int],
        targets: NDArray[np.integer] | Sequence[int],
        *,
        labels: pl.Series | None = None,
        directed: bool = False,
        kinds: pl.Series | None = None,
    ) -> Graph:
        """A graph from the two ends of every edge; loops and repeated edges are left out and counted."""
        from shoal.graphs import adjacency_kernels as kernels

        if nodes > MOST_NODES:
            raise BadGraph(f"{nodes:,} nodes are more than the {MOST_NODES:,} that fit; split the graph")
        one, other = (_check(np.asarray(ends), nodes) for ends in (sources, targets))
        offsets, found, repeated = kernels.rows_of(nodes, one, other, not directed)
        sides = 1 if directed else 2
        loops, duplicates = len(one) - (len(found) + repeated) // sides, repeated // sides
        return cls(offsets, found, labels, directed, kinds, Cleaning(loops, duplicates))

    @property
    def nodes(self) -> int:
        """How many there are, those without edges too."""
        return len(self.offsets) - 1

    @property
    def edges(self) -> int:
        """How many there are; an undirected edge counts once."""
        return len(self.targets) if self.directed else len(self.targets) // 2

    @cached_property
    def degrees(self) -> Int64:
        """How many edges each node has (that leave it, when directed)."""
        return np.diff(self.offsets)

    @property
    def highest_degree(self) -> int:
        """How many edges a node can have at most."""
        return self.nodes - 1

    @property
    def density(self) -> float:
        """The share of all possible edges that is there."""
        possible = self.nodes * (self.nodes - 1) // (1 if self.directed else 2)
        return self.edges / possible if possible else 0.0

    def neighbours(self, node: int) -> Int32:
        """Of one node, in ascending order."""
        return self.targets[self.offsets[node] : self.offsets[node + 1]]

    def has(self, source: int, target: int) -> bool:
        """Whether there is an edge."""
        row = self.neighbours(source)
        at = int(np.searchsorted(row, target))
        return at < len(row) and int(row[at]) == target

    def edge_list(self) -> Edges:
        """Every edge once, in the order of the nodes."""
        from shoal.graphs import adjacency_kernels as kernels

        return Edges(*kernels.edges_of(self.offsets, self.targets, not self.directed))

    def name(self, node: int) -> str:
        """What a node is called."""
        return str(node if self.labels is None else self.labels[int(node)])

    def names(self) -> pl.Series:
        """What all nodes are called: whole numbers, or text."""
        if self.labels is not None:
            return self.labels
        return pl.Series("label", np.arange(self.nodes, dtype=np.int64))

    def undirected(self) -> Graph:
        """The same nodes, an edge wherever there was one in either direction; counted in `cleaned`."""
        if not self.directed:
            return self
        ends = self.edge_list()
        made = Graph.of_edges(self.nodes, ends.sources, ends.targets, labels=self.labels, kinds=self.kinds)
        cleaned = replace(self.cleaned, merged=made.cleaned.duplicates, undirected=True)
        return replace(made, cleaned=cleaned)

    def moved(self, places: NDArray[np.integer]) -> Graph:
        """The same graph with node i at places[i], under its old label."""
        ends, to = self.edge_list(), places.astype(np.int32)
        back = np.empty(self.nodes, np.int64)
        back[places] = np.arange(self.nodes)
        labels = None if self.labels is None else self.labels.gather(back)
        kinds = None if self.kinds is None else self.kinds.gather(back)
        made = Graph.of_edges(
            self.nodes, to[ends.sources], to[ends.targets], labels=labels, directed=self.directed, kinds=kinds
        )
        return replace(made, cleaned=self.cleaned)

    def with_edges(self, added: Edges | None = None, removed: Edges | None = None) -> Graph:
        """The same nodes with some edges more, which must be new, and some less, which must be there."""
        from shoal.graphs import adjacency_kernels as kernels

        nothing = Edges(np.empty(0, np.int32), np.empty(0, np.int32))
        more, less = (
            Graph.of_edges(self.nodes, edges.sources, edges.targets, directed=self.directed)
            for edges in (added or nothing, removed or nothing)
        )
        offsets, targets = kernels.merge_rows(
            self.offsets, self.targets, more.offsets, more.targets, less.offsets, less.targets
        )
        changed = len(more.targets) - len(less.targets)
        assert len(targets) == len(self.targets) + changed, "an edge to remove was not there"
        return replace(self, offsets=offsets, targets=targets)


def _check(ends: NDArray[np.integer], nodes: int) -> Int32:
    # Compiled loops trust these numbers: one too large would write into memory of somebody else.
    if len(ends) and not 0 <= int(ends.min()) <= int(ends.max()) < nodes:
        strange = int(ends.min()) if int(ends.min()) < 0 else int(ends.max())
        raise BadGraph(f"an edge names node {strange}; the graph has nodes 0 to {nodes - 1}")
    return np.ascontiguousarray(ends, np.int32)


def _count(number: int, thing: str, things: str | None = None) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {things or f'{thing}s'}"
