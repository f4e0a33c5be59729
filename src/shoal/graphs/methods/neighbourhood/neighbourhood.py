"""k-neighbourhood anonymity by added edges."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, get_args

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.core.outcome import Json
from shoal.core.progress import Progress, Watch
from shoal.core.randomness import generator
from shoal.graphs.building.target_degrees import anonymous_degrees
from shoal.graphs.graph import Edges, Graph
from shoal.graphs.methods.neighbourhood.search import Way, search
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_neighbourhood import KNeighbourhood
from shoal.graphs.neighbourhoods.kind_codes import kind_codes
from shoal.graphs.release import GraphMethod, GraphRelease
from shoal.graphs.requested_k import largest_k


@dataclass(frozen=True)
class Neighbourhood(GraphMethod):
    """Edges are added, and none is taken away, until everybody's friends know each other as k - 1 others' do.

    There are two ways, and `auto` takes the one that adds fewer edges. `levels`, for sparse graphs, goes from
    the largest neighbourhoods down: those that are most alike get the parts that they lack, built of friends
    whom nobody will miss. `twins`, for dense graphs, lets at least k people know each other and the same
    others, so that they can change places; it always ends, at the latest with a complete graph. Where what
    people are (their kind) counts, twins are of one kind, and kinds of fewer than k people become `*`.
    `bound` is what k-degree anonymity alone would cost at least. Chance decides between equals.

    Zhou and Pei, "Preserving privacy in social networks against neighborhood attacks", 2008.
    """

    name: ClassVar[str] = "neighbourhood"
    reaches: ClassVar[tuple[str, ...]] = (KNeighbourhood.name,)
    removes: ClassVar[bool] = False

    way: Way = "auto"
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.way not in get_args(Way):
            raise BadParameter(f"neighbourhood(way={self.way}) is unknown; give auto, levels or twins")

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The graph with some edges more."""
        require("graphs", f"the method {self.name}")
        started = time.monotonic()
        graph = graph.undirected()
        k = largest_k(models, KNeighbourhood.name, self.name, graph)
        notes = []
        if any(model.labels for model in models):  # type: ignore[attr-defined]
            kinds = merge_rare_kinds(graph, k)
            graph = replace(graph, kinds=kinds.kinds)
            if kinds.lost:
                notes.append(f"{kinds.lost:,} people had a kind that too few share; it is now *")
            numbers = kind_codes(graph, True)
        else:
            numbers = kind_codes(graph, False)
        if numbers.any() and self.way == "levels":
            raise BadParameter("way=levels does not look at kinds; give way=twins, or the model labels=false")
        needed = anonymous_degrees(graph.degrees, k, "raise") - graph.degrees
        bound = int(-(-needed.sum() // 2))
        steps = 0

        def tick(left: int) -> None:
            nonlocal steps
            steps += 1
            if watch is not None:
                watch(Progress(steps, left, None, float(bound)))

        # Equals are taken in the order of their numbers; a file's own order would tell who was changed.
        order = generator(self.seed).permutation(graph.nodes)
        ends = graph.edge_list()
        shuffled = Graph.of_edges(graph.nodes, order[ends.sources], order[ends.targets])
        found = search(shuffled, k, numbers[np.argsort(order)], self.way, tick)
        back = np.argsort(order).astype(np.int32)
        made = graph.with_edges(Edges(back[found.added.sources], back[found.added.targets]))
        if made.density == 1 and len(found.added):
            notes.append("nothing but the complete graph was found: it tells nothing")
        details: dict[str, Json] = {
            "way": found.way,
            "rounds": found.rounds,
            "unsafe_before": found.unsafe,
            "twins": found.twins,
        }
        release = GraphRelease(
            made, graph.edges, self.name, len(found.added), 0, bound, details=details, notes=tuple(notes)
        )
        return release.after(time.monotonic() - started)


@dataclass(frozen=True, eq=False)
class MergedKinds:
    """What every node is, `*` where too few were the same, and how many nodes lost their kind."""

    kinds: pl.Series | None
    lost: int


def merge_rare_kinds(graph: Graph, k: int) -> MergedKinds:
    """Kinds of fewer than k nodes become `*`, and the rarest others too until k nodes are that."""
    if graph.kinds is None:
        return MergedKinds(None, 0)
    kinds = graph.kinds.cast(pl.String)
    counts = kinds.rename("kind").value_counts(name="people").sort("people", "kind", nulls_last=True)
    gone: list[str | None] = []
    people = 0
    for kind, number in counts.iter_rows():
        # Whoever is `*` already counts, and keeps company with those who become so.
        if number >= k and (not gone or people >= k):
            break
        gone.append(kind)
        people += number
    if "*" in kinds and gone and "*" not in gone:
        gone.append("*")
    if not gone:
        return MergedKinds(graph.kinds, 0)
    unlike = kinds.fill_null("*").is_in([kind for kind in gone if kind is not None])
    if None in gone:
        unlike |= kinds.is_null()
    changed = pl.select(
        pl.when(unlike).then(pl.lit("*")).otherwise(kinds).alias(graph.kinds.name)
    ).to_series()
    return MergedKinds(changed, int((changed.ne_missing(kinds)).sum()))
