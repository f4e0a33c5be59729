"""The number of triangles with noise that fits the graph."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.core.mechanism import Mechanism
from shoal.core.part_syntax import spell
from shoal.graphs.answering.noisy_results import NoisyCount
from shoal.graphs.answering.privacy_parameters import Cost, check_cost, check_nodes, people, public_people
from shoal.graphs.graph import MOST_NODES, Graph
from shoal.graphs.mechanisms.triangles.ladder_function import Ladder


@dataclass(frozen=True)
class Triangles(Mechanism[Graph, NoisyCount]):
    """How many triples of people all know each other, as if any one edge might not be there.

    One edge can be in n - 2 triangles, and noise for that would drown them. So the noise follows what one
    edge can do in this graph, and after one, two … more changes: a ladder of whole numbers around the true
    one, of which rung t is as likely as exp(-ε t/2k). The ladder is
    min(a + t, ⌊(b + t)/2⌋, n - 2), with a the most acquaintances that two people share (at least 1) and b
    the most that two people have, added up and without each other; both change by 1 at most when an edge
    does. The choice is exact, and the promise is a plain ε without δ.

    How far off the answer is depends on the graph, so neither error nor interval is told; the owner alone may
    ask `expected_error`. The number of people is public, or declared as `nodes`: then the ladder does not end
    at n - 2, so that the promise holds where more people turn up than were declared, and nobody is told.

    Zhang, Cormode, Procopiuc, Srivastava, Xiao, "Private release of graph statistics using ladder
    functions", 2015; what one edge can do after t changes, Nissim, Raskhodnikova, Smith 2007.
    """

    name: ClassVar[str] = "triangles"
    example: ClassVar[str] = "epsilon=0.5"

    epsilon: Fraction
    k: int = 1
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_cost(self)
        check_nodes(self)

    @property
    def rate(self) -> Fraction:
        """By which every rung is less likely than the one before."""
        return self.epsilon / (2 * self.k)

    def release(self, graph: Graph) -> NoisyCount:
        """The number, never below 0."""
        total = people(graph, self.nodes)
        value = 0
        if total > 2:  # fewer people have no triangle, whoever knows whom
            ranked = by_falling_degree(graph.undirected())
            drawn = count(ranked) + self._ladder(ranked).draw(self.rate)
            value = min(max(0, drawn), total * (total - 1) * (total - 2) // 6)
        return NoisyCount(
            spell(self),
            "triangles",
            value,
            None,
            None,
            None,
            Cost(self.epsilon, self.k),
            (public_people(self.nodes),),
            ("how far off it may be depends on the graph, and is not told",),
        )

    def expected_error(self, graph: Graph) -> float | None:
        """How far off an answer is on average, for the owner alone: it is a figure of the private graph."""
        if people(graph, self.nodes) < 3:
            return 0.0
        return self._ladder(by_falling_degree(graph.undirected())).error(self.rate)

    def _ladder(self, ranked: Graph) -> Ladder:
        """What one edge can do. With declared people it may bring two more, as if all the world were there:
        two besides those who know somebody are always counted, and the rungs end beyond any graph.
        """
        if self.nodes is None:
            return ladder(ranked, ranked.nodes)
        return ladder(ranked, max(self.nodes, ranked.nodes + 2), MOST_NODES)


def by_falling_degree(graph: Graph) -> Graph:
    """The same edges with nodes by falling degree, as the loops want them."""
    places = np.empty(graph.nodes, np.int64)
    places[np.argsort(-graph.degrees, kind="stable")] = np.arange(graph.nodes)
    return Graph(graph.offsets, graph.targets).moved(places)


def count(ranked: Graph) -> int:
    """The triangles of a graph by falling degree."""
    from shoal.graphs.answering import private_answer_kernels as kernels

    return int(kernels.triangles(ranked.offsets, ranked.targets))


def ladder(ranked: Graph, people: int, most: int | None = None) -> Ladder:
    """What one edge can do, now and after some changes; for three people or more. `most` is the end of it."""
    from shoal.graphs.answering import private_answer_kernels as kernels

    shared = int(kernels.most_shared(ranked.offsets, ranked.targets))
    # At least 1 and 2, so that no rung is empty; what moves by 1 at most still does.
    return Ladder(max(1, shared), max(2, widest_pair(ranked, people)), most or people - 2)


def widest_pair(ranked: Graph, people: int) -> int:
    """The most that two people's degrees add up to, an edge between them not counted; for two or more."""
    degrees, ends = ranked.degrees, ranked.edge_list()
    top = int(degrees[:2].sum())
    sizes = np.bincount(degrees, minlength=1)
    sizes[0] += people - ranked.nodes
    sums = degrees[ends.sources] + degrees[ends.targets]
    for wanted in (top, top - 1):
        # Is there a pair of this sum without an edge? There is, if pairs outnumber edges.
        some = np.arange(max(0, wanted - len(sizes) + 1), min(wanted, len(sizes) - 1) + 1)
        pairs = int((sizes[some] * sizes[wanted - some]).sum())
        if wanted % 2 == 0 and wanted // 2 < len(sizes):
            pairs -= int(sizes[wanted // 2])  # nobody makes a pair with themselves
        if pairs // 2 > int((sums == wanted).sum()):
            return wanted
    return top - 2
