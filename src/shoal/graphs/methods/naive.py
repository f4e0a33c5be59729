"""Naive anonymisation."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.errors import Unreachable
from shoal.core.part_syntax import spell
from shoal.core.progress import Watch
from shoal.core.randomness import generator, random_order
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel
from shoal.graphs.release import GraphMethod, GraphRelease


@dataclass(frozen=True)
class Naive(GraphMethod):
    """New labels at random and nothing else: the baseline that attacks defeat.

    The structure stays, and structure gives people away: whoever knows some edges finds their people again.
    A promise such as k-degree holds afterwards only if it held before.

    Backstrom, Dwork, Kleinberg, "Wherefore art thou R3579X?", 2007, which breaks it.
    """

    name: ClassVar[str] = "naive"
    adds: ClassVar[bool] = False
    removes: ClassVar[bool] = False
    relabels: ClassVar[bool] = True

    seed: int | None = None

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """The same graph under new labels."""
        started = time.monotonic()
        if models:  # promises speak of friends; direction that goes out would tell more than they cover
            graph = graph.undirected()
        order = (
            random_order(graph.nodes) if self.seed is None else generator(self.seed).permutation(graph.nodes)
        )
        release = GraphRelease(graph, graph.edges, self.name, 0, 0, 0)
        for model in models:
            if not model.holds(release.seen()).all():
                raise Unreachable(
                    f"naive gives new labels only, and the graph offers {model.level(release.seen()):g} of "
                    f"{spell(model)}; use another method, such as supergraph for k-degree"
                )
        release = release.relabelled(np.asarray(order, np.int64))
        return release.after(time.monotonic() - started)
