"""k-degree anonymity by added and removed edges."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.graphs.building.construct_graph import Order
from shoal.graphs.building.near_partners import Partners
from shoal.graphs.building.swapping_release import Way, swap_release
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphMethod, GraphRelease
from shoal.graphs.requested_k import largest_k


@dataclass(frozen=True)
class Simultaneous(GraphMethod):
    """Edges are added and taken away until everybody has as many friends as k - 1 others; usually the fewest.

    The nearest degrees are the medians of groups of at least k. Edges between two people with too many are
    dropped, two with too few are linked, and an edge is turned from one with too many to one with too few.
    What is left is shared with members of large degree classes, whose classes stay above k, or exchanged.
    `partners=near` and `partners=alike` give added edges partners who look like true friends, as supergraph
    does: at no further change, or at some. `fewest_changes` tells how many edges every release with this
    promise changes at least.
    `construction=greedy-swap` is what the thesis did (see relaxed). It replaces a large part of the graph.

    Liu and Terzi, "Towards identity anonymization on graphs", 2008; algorithm 9.8 of the thesis.
    """

    name: ClassVar[str] = "simultaneous"
    reaches: ClassVar[tuple[str, ...]] = (KDegree.name,)

    construction: str = "editing"
    order: Order = "random"
    probing: int = 4
    max_delta: int = 10
    patience: int = 1000
    rounds: int | None = None
    partners: Partners = "any"
    seed: int | None = None

    def __post_init__(self) -> None:
        self._way()

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The graph with some edges more and some less."""
        started = time.monotonic()
        graph = graph.undirected()
        k = largest_k(models, KDegree.name, self.name, graph)
        made = swap_release(self._way(), graph, k, "both", 0, generator(self.seed), watch)
        return made.after(time.monotonic() - started)

    def _way(self) -> Way:
        return Way(
            *(self.name, self.construction, self.order, self.probing, self.max_delta, self.patience),
            *(self.rounds, self.partners),
        )
