"""k-degree anonymity by removed edges."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.graphs.building.anonymise_degrees import reach
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphMethod, GraphRelease
from shoal.graphs.requested_k import largest_k


@dataclass(frozen=True)
class Deletion(GraphMethod):
    """Edges are taken away, and none is made up, until everybody has as many friends as k - 1 others.

    Every edge of the release is a true one. It is adding edges to the complement, without writing the
    complement down: dropped edges are exchanged where people with one too many do not know each other, and
    what hubs have too many is taken from members of large degree classes. People may end up without friends.

    Liu and Terzi, "Towards identity anonymization on graphs", 2008; algorithm 9.1 of the thesis.
    """

    name: ClassVar[str] = "deletion"
    reaches: ClassVar[tuple[str, ...]] = (KDegree.name,)
    adds: ClassVar[bool] = False

    seed: int | None = None

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The graph with some edges less."""
        started = time.monotonic()
        graph = graph.undirected()
        k = largest_k(models, KDegree.name, self.name, graph)
        found = reach(graph, k, "lower", generator(self.seed))
        made = graph.with_edges(removed=found.pairs)
        notes = ("nothing but a graph without edges was found: it tells nothing",) if found.resort else ()
        details = {"fewest_removed": found.bound, **found.details}
        release = GraphRelease(
            made, graph.edges, self.name, 0, len(found.pairs), details=details, notes=notes
        )
        return release.after(time.monotonic() - started)
