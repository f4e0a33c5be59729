"""A graph at work: edges come in, and who looks like whom is kept up to date."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.graphs.graph import Edges, Graph
from shoal.graphs.methods.neighbourhood.shapes import Nodes, Shape, Shapes


class Work:
    """The graph so far. Nodes of a unit are twins: they know each other and the same people."""

    def __init__(self, graph: Graph, k: int) -> None:
        self.k = k
        self.original = graph
        self.near: list[Nodes] = [set(graph.neighbours(node).tolist()) for node in range(graph.nodes)]
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.unit = [-1] * graph.nodes
        self.units: list[list[int]] = []
        self.shapes = Shapes()
        self.shape: list[Shape | None] = [None] * graph.nodes
        self.classes: dict[Shape, Nodes] = {}
        self.stale: Nodes = set(range(graph.nodes))
        self.looks = 0  # people looked at in search of a friend: what the sparse way costs
        self.watched = True  # whether shapes are kept up to date; twins do without

    @property
    def added(self) -> int:
        """Edges that were not there before."""
        return len(self.sources)

    def link(self, one: int, other: int) -> None:
        """Add an edge that is not there yet."""
        self.near[one].add(other)
        self.near[other].add(one)
        self.sources.append(one)
        self.targets.append(other)
        if self.watched:
            self.stale |= self.near[one] & self.near[other]
            self.stale |= {one, other}

    def graph(self) -> Graph:
        """The graph so far, as compressed rows."""
        return self.original.with_edges(self.edges())

    def edges(self) -> Edges:
        """Those that were added."""
        return Edges(np.asarray(self.sources, np.int32), np.asarray(self.targets, np.int32))

    def refresh(self) -> None:
        """Look again at every neighbourhood that changed."""
        for node in self.stale:
            old = self.shape[node]
            if old is not None:
                members = self.classes[old]
                members.discard(node)
                if not members:
                    del self.classes[old]
            new = self.shapes.of(self.near, node)
            self.shape[node] = new
            self.classes.setdefault(new, set()).add(node)
        self.stale.clear()

    def look(self, node: int) -> Shape:
        """The shape of a node as of the last refresh."""
        shape = self.shape[node]
        assert shape is not None
        return shape

    def unsafe(self) -> Iterable[int]:
        """Nodes with a neighbourhood that too few share."""
        return (node for members in self.classes.values() if len(members) < self.k for node in members)
