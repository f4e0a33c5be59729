"""k-sized grouping: only groups and the number of edges between them go out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Json
from shoal.core.part_syntax import spell
from shoal.core.progress import Watch
from shoal.core.randomness import generator, random_order
from shoal.graphs.graph import Cleaning, Graph, Int64
from shoal.graphs.grouping import Grouping
from shoal.graphs.methods.grouping.search import SearchResult, most_likely
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_grouping import KGrouping
from shoal.graphs.release import GraphMethod, GraphRelease


@dataclass(frozen=True)
class GroupingMethod(GraphMethod):
    """Puts people into groups of at least k and releases only how many edges run inside and between groups.

    Many graphs fit such a release; `release.graph.sample(seed)` draws one for analysis, each as likely as
    the others. Of all partitions the one is sought under which the fewest graphs fit, because the original
    is then found again best. `rounds` is how often all people are offered another group; without it, as
    often as takes some tens of seconds. A million people get the first partition and little more.

    Hay, Miklau, Jensen, Towsley and Weis, "Resisting structural re-identification in anonymized social
    networks", 2008.
    """

    name: ClassVar[str] = "grouping"
    reaches: ClassVar[tuple[str, ...]] = (KGrouping.name,)
    relabels: ClassVar[bool] = True

    rounds: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 0:
            raise BadParameter(f"grouping(rounds={self.rounds}) cannot be; 0 takes the first partition")

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The graph as groups of at least the largest k among the models."""
        started = time.monotonic()
        k = _group_size(models)
        directed, graph = graph.directed, graph.undirected()
        if graph.nodes < k:
            raise Unreachable(
                f"groups of {k:,} need at least {k:,} nodes, and the graph has {graph.nodes:,}; "
                f"k-grouping(k={max(graph.nodes, 1)}) or less can be reached"
            )
        found = most_likely(graph, k, self.rounds, generator(self.seed), watch)
        belongs = self._numbers(int(found.group_of.max(initial=-1)) + 1)[found.group_of]
        grouping = Grouping.of_graph(graph, belongs)
        return GraphRelease(
            grouping,
            graph.edges,
            self.name,
            paired=False,
            details=_details(grouping, found),
            seconds=time.monotonic() - started,
            notes=(*_notes(graph.cleaned, directed), *_warning(grouping)),
        ).with_mapping(pl.DataFrame({"original": graph.names(), "label": pl.Series(belongs)}))

    def hurried(self) -> GroupingMethod:
        """The first partition, which nobody is offered a better group in."""
        return replace(self, rounds=0)

    def _numbers(self, groups: int) -> Int64:
        """Numbers for groups that do not tell the order of the input."""
        return random_order(groups) if self.seed is None else generator(self.seed).permutation(groups)


def _group_size(models: Sequence[GraphModel]) -> int:
    sizes = []
    for model in models:
        if model.name != KGrouping.name:
            raise BadParameter(
                f"grouping reaches k-grouping, not {spell(model)}; use --model 'k-grouping(k=5)', "
                "or another method"
            )
        sizes.append(model.people)
    if not sizes:
        raise BadParameter("grouping needs to know how large groups are; use --model 'k-grouping(k=5)'")
    return max(sizes)


def _details(grouping: Grouping, found: SearchResult) -> dict[str, Json]:
    return {
        "groups": grouping.groups,
        "largest_group": int(grouping.sizes.max(initial=0)),
        "super_edges": len(grouping.weights),
        "log_worlds": grouping.log_worlds,
        "log_worlds_of_first_partition": found.start_log_worlds,
        "rounds": found.rounds,
        "highest_density": float(np.max(grouping.densities, initial=0.0)),
        "sure_edges": grouping.sure_edges,
    }


def _notes(cleaned: Cleaning, directed: bool) -> tuple[str, ...]:
    """That direction was dropped here; what reading left out is told by whoever read."""
    return Cleaning(merged=cleaned.merged, undirected=True).notes if directed else ()


def _warning(grouping: Grouping) -> tuple[str, ...]:
    sure = grouping.sure_edges
    if not sure:
        return ()
    return (
        f"{sure:,} of {grouping.edges:,} edges are certain, because all pairs of people of their groups are "
        "linked; a larger k makes them fewer",
    )
