"""k-degree anonymity by added edges."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.graphs.building.anonymise_degrees import reach
from shoal.graphs.building.near_partners import (
    FEW,
    Partners,
    alike_partners,
    check_partners,
    near_partners,
)
from shoal.graphs.building.probing import probe_supergraph
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphMethod, GraphRelease
from shoal.graphs.requested_k import largest_k

_PROBES = 20_000


@dataclass(frozen=True)
class Supergraph(GraphMethod):
    """Edges are added, and none is taken away, until everybody has as many friends as k - 1 others.

    The nearest degrees that do are found by dynamic programming; whoever lacks edges is linked to others who
    do. Where these know each other already, one of the *added* edges is exchanged. Where hubs lack more
    partners than there are, members of large degree classes take the missing edges: their class stays above
    k. `bound` tells how few edges the nearest degrees need at least. `partners=near` gives the same number of
    edges other partners afterwards, who look like true friends as far as degrees allow (see the attack
    link-guessing); `partners=alike` chooses them by looks alone and adds some edges more. `probing` 1 to 4 is
    what the thesis did instead, restarting with a random degree raised (by up to `max_delta`); it does not
    scale.

    Liu and Terzi, "Towards identity anonymization on graphs", 2008.
    """

    name: ClassVar[str] = "supergraph"
    reaches: ClassVar[tuple[str, ...]] = (KDegree.name,)
    removes: ClassVar[bool] = False

    probing: int = 0
    max_delta: int = 10
    partners: Partners = "any"
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.probing <= 4:
            raise BadParameter(f"supergraph(probing={self.probing}) is unknown; give 1 to 4, or 0 for none")
        if self.max_delta < 1:
            raise BadParameter(f"supergraph(max-delta={self.max_delta}) raises nothing; give at least 1")
        check_partners(self.name, self.partners)

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The graph with some edges more."""
        started = time.monotonic()
        graph = graph.undirected()
        k = largest_k(models, KDegree.name, self.name, graph)
        made = self._probed(graph, k, watch) if self.probing else self._reached(graph, k)
        return made.after(time.monotonic() - started)

    def _reached(self, graph: Graph, k: int) -> GraphRelease:
        chance = generator(self.seed)
        found = reach(graph, k, "raise", chance)
        pairs, notes = found.pairs, list[str]()
        if found.resort:
            notes.append("nothing but the complete graph was found: it tells nothing")
        elif self.partners != "any":
            alike = alike_partners(graph, pairs, k, chance) if self.partners == "alike" else None
            pairs = near_partners(graph, pairs, k, chance) if alike is None else alike
            notes += [FEW] if self.partners == "alike" and alike is None else []
        made = graph.with_edges(added=pairs)
        return GraphRelease(
            *(made, graph.edges, self.name, len(pairs), 0, found.bound),
            details=found.details,
            notes=tuple(notes),
        )

    def _probed(self, graph: Graph, k: int, watch: Watch | None) -> GraphRelease:
        chance = generator(self.seed)
        found = probe_supergraph(graph, k, self.probing, self.max_delta, chance, _PROBES, watch)
        if found.graph is None:
            raise Unreachable(
                f"probing scheme {self.probing} found no graph in {_PROBES:,} rounds; leave probing out"
            )
        added = found.graph.edges - graph.edges
        return GraphRelease(found.graph, graph.edges, self.name, added, 0, details={"probes": found.rounds})
