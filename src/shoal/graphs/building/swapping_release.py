"""What methods that add and remove edges have in common: the way they take, and the release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Json
from shoal.core.progress import Watch
from shoal.graphs.building.construct_graph import ORDERS, Order
from shoal.graphs.building.greedy_swap import greedy_swap
from shoal.graphs.building.near_partners import FEW, Partners, check_partners
from shoal.graphs.building.probing import probe_construction
from shoal.graphs.building.probing_noise import SCHEMES
from shoal.graphs.building.swapping_search import keys_of, near, with_partners
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease

CONSTRUCTIONS = ("editing", "greedy-swap")
_MANY = 0.2  # of the edges removed: then only adding is tried, too
_ROUNDS = {"editing": 40, "greedy-swap": 20_000}


@dataclass(frozen=True)
class Way:
    """How the edges for the target degrees are found; the parameters are those of the methods."""

    method: str
    construction: str
    order: Order
    probing: int
    max_delta: int
    patience: int
    rounds: int | None
    partners: Partners = "any"

    def __post_init__(self) -> None:
        if self.construction not in CONSTRUCTIONS:
            self._refuse("construction", self.construction, "give editing or greedy-swap")
        check_partners(self.method, self.partners)
        if self.partners != "any" and self.construction != "editing":
            self._refuse("partners", self.partners, "construction=greedy-swap makes the graph anew")
        if self.order not in ORDERS:
            self._refuse("order", self.order, "give random, highest or lowest")
        if self.probing not in SCHEMES:
            self._refuse("probing", self.probing, "give 1 to 4")
        for name, value in (("max-delta", self.max_delta), ("patience", self.patience)):
            if value < 1:
                self._refuse(name, value, "give at least 1")
        if self.rounds is not None and self.rounds < 1:
            self._refuse("rounds", self.rounds, "give at least 1")

    def _refuse(self, name: str, value: object, cure: str) -> None:
        raise BadParameter(f"{self.method}({name}={value}) cannot be; {cure}")


def swap_release(
    way: Way,
    graph: Graph,
    k: int,
    change: Change,
    allowed: int,
    chance: np.random.Generator,
    watch: Watch | None,
) -> GraphRelease:
    """A k-degree anonymous graph near this one, with how many edges it has more and less."""
    rounds = way.rounds or _ROUNDS[way.construction]
    nearest = anonymous_degrees(graph.degrees, k, "both")
    details: dict[str, Json] = {"fewest_changes": -(-int(np.abs(nearest - graph.degrees).sum()) // 2)}
    if way.construction == "editing":
        found = near(graph, k, change, allowed, rounds, chance, watch)
        if change == "both" and len(found.removed) > _MANY * graph.edges:
            other = near(graph, k, "raise", int(_MANY * graph.edges), rounds, chance, watch)
            found = other if other.changes < found.changes else found
        notes = ("nothing but the complete graph was found: it tells nothing",) if found.complete else ()
        if way.partners != "any" and not found.complete:
            chosen = with_partners(graph, found, k, way.partners, rounds, chance, watch)
            if chosen is None:
                chosen, notes = with_partners(graph, found, k, "near", rounds, chance, watch), (FEW,)
            assert chosen is not None  # near partners cost nothing
            found = chosen
        made = graph.with_edges(found.added, found.removed)
        return GraphRelease(
            made, graph.edges, way.method, len(found.added), len(found.removed), details=details, notes=notes
        )
    built = probe_construction(
        graph, k, change, way.order, way.probing, way.max_delta, chance, rounds, watch
    )  # fmt: skip
    if built.graph is None:
        raise Unreachable(
            f"{way.method} found no degrees that a graph can have in {rounds:,} rounds of probing; "
            "use construction=editing"
        )
    made = greedy_swap(graph, built.graph, chance, patience=way.patience)
    kept = int(np.isin(keys_of(graph), keys_of(made)).sum())
    details["probes"] = built.rounds
    gone = graph.edges - kept
    notes = ()
    if graph.edges:
        notes = (
            f"the graph was built anew: {gone / graph.edges:.1%} of its edges were replaced; "
            "construction=editing keeps nearly all",
        )
    return GraphRelease(made, graph.edges, way.method, made.edges - kept, gone, details=details, notes=notes)
