"""k-degree anonymity by added edges, where some may give way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.core.errors import BadParameter
from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.graphs.building.construct_graph import Order
from shoal.graphs.building.swapping_release import Way, swap_release
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphMethod, GraphRelease
from shoal.graphs.requested_k import largest_k


@dataclass(frozen=True)
class Relaxed(GraphMethod):
    """Nobody has fewer friends than before, and as many as k - 1 others; a few edges give way to others.

    Degrees are only raised, to the nearest that do. Whoever lacks an edge is linked to somebody who lacks one
    too; where they know each other already, any edge x–y gives way to u–x and v–y. At most `exchange` of the
    edges go this way as long as members of large degree classes can take further edges instead.
    `construction=greedy-swap` is what the thesis did: a graph is built anew from the degrees (`order` says
    which node comes first; `probing`, `max_delta`: what is raised when they fit no graph) and made more alike
    by swaps, until `patience` samples of edges show none. It replaces a large part of the graph.

    Liu and Terzi, "Towards identity anonymization on graphs", 2008; algorithm 9.7 of the thesis.
    """

    name: ClassVar[str] = "relaxed"
    reaches: ClassVar[tuple[str, ...]] = (KDegree.name,)

    exchange: float = 0.05
    construction: str = "editing"
    order: Order = "random"
    probing: int = 4
    max_delta: int = 10
    patience: int = 1000
    rounds: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.exchange <= 1:
            raise BadParameter(f"relaxed(exchange={self.exchange}) is no share; give 0 to 1, as in 0.05")
        self._way()

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The graph with some edges more, and a few less."""
        started = time.monotonic()
        graph = graph.undirected()
        k = largest_k(models, KDegree.name, self.name, graph)
        allowed = int(self.exchange * graph.edges)
        made = swap_release(self._way(), graph, k, "raise", allowed, generator(self.seed), watch)
        return made.after(time.monotonic() - started)

    def _way(self) -> Way:
        return Way(
            self.name, self.construction, self.order, self.probing, self.max_delta, self.patience, self.rounds
        )
