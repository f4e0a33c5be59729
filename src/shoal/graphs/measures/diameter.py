"""How far apart the two people farthest from each other are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.graphs.appraisal.components import Components
from shoal.graphs.appraisal.estimate import Estimate
from shoal.graphs.graph import Graph, Int32

LIMIT = 1_000_000_000  # entries to read: a few seconds
LEAST = 8  # walks, however large the graph


@dataclass(frozen=True)
class Diameter(Measure[Graph, Estimate]):
    """The largest distance between two people who have a way between them; 0 where there is no edge.

    Every walk from one person bounds how far all others can be from anybody, so a few walks usually settle
    it even among millions. Where they do not within `sample` walks, the result has a lower and an upper bound
    that hold for certain, and the lower one is its value. No chance is involved.

    Takes & Kosters, "Determining the diameter of small world networks", 2011.
    """

    name: ClassVar[str] = "diameter"

    exact: bool = False
    sample: int | None = None

    def __post_init__(self) -> None:
        if self.exact and self.sample is not None:
            raise BadParameter(f"exact and a sample of {self.sample} exclude each other; choose one of them")
        if self.sample is not None and self.sample < 1:
            raise BadParameter(f"a diameter by {self.sample} walks is nothing; take at least 1")

    def measure(self, graph: Graph) -> Estimate:
        """The diameter, or its bounds."""
        graph = graph.undirected()
        return self.within(graph, Components.of(graph))

    def within(self, graph: Graph, components: Components) -> Estimate:
        """The same where the components are known already."""
        if not graph.edges:
            return Estimate(0)
        walks = self.sample or max(LEAST, LIMIT // (len(graph.targets) + graph.nodes))
        search = _Search(graph, components)
        while (node := search.next()) is not None and (self.exact or walks > 0):
            search.walk(node)
            walks -= 1
        high = search.high
        return Estimate(search.low) if high <= search.low else Estimate(search.low, search.low, high)


class _Search:
    """Bounds on how far everybody is from the person farthest from them, narrowed walk by walk."""

    def __init__(self, graph: Graph, components: Components) -> None:
        self.graph = graph
        self.low = 1  # the largest distance that was seen
        self.distances: Int32 = np.full(graph.nodes, -1, np.int32)
        self.queue: Int32 = np.empty(graph.nodes, np.int32)
        # Nobody is farther away than all others of the component in a row.
        self.which = components.which
        self.upper: Int32 = (components.sizes - 1).astype(np.int32)[components.which]
        self.lower: Int32 = np.zeros(graph.nodes, np.int32)
        self.open: Int32 = np.flatnonzero(self.upper > 1).astype(np.int32)
        self.outward = False

    @property
    def high(self) -> int:
        """What no distance can exceed."""
        return int(self.upper[self.open].max(initial=self.low))

    def next(self) -> int | None:
        """Who to walk from: the best hope for a long way, then for a centre, in turn; None when settled."""
        self.open = self.open[self.upper[self.open] > self.low]
        if not len(self.open):
            return None
        self.outward = not self.outward
        hope = self.open[np.argmax(self.upper[self.open])]
        near = self.open[self.which[self.open] == self.which[hope]]
        bound = -self.upper[near] if self.outward else self.lower[near]
        best = near[bound == bound.min()]
        return int(best[np.argmax(self.graph.degrees[best])])

    def walk(self, node: int) -> None:
        """Distances from one node, and what they say about all others of its component."""
        from shoal.graphs.appraisal import measure_kernels as kernels

        reached = self.queue[
            : kernels.distances_from(self.graph.offsets, self.graph.targets, node, self.distances, self.queue)
        ]
        steps = self.distances[reached]
        farthest = int(steps[-1])
        self.low = max(self.low, farthest)
        self.upper[reached] = np.minimum(self.upper[reached], steps + farthest)
        self.lower[reached] = np.maximum(self.lower[reached], np.maximum(steps, farthest - steps))
        self.upper[node] = self.lower[node] = farthest
        self.distances[reached] = -1
