"""How surely two people are known to be joined, though nobody knows which nodes they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.outcome import Json
from shoal.graphs.graph import Graph, Int64

CELLS = 50_000_000  # of a table of all pairs of degrees
AT_ONCE = 4_000_000  # edges


@dataclass(frozen=True)
class EdgeRisk:
    """What degrees of two people tell about the edge between them.

    `highest` is the largest chance over all pairs of degrees; `certain` counts the pairs of degrees where the
    edge is sure, `hidden` those of them where nobody could point at both people, and `edges` the edges in
    certain pairs. `mean` is the chance for an average edge.
    """

    highest: float
    certain: int
    hidden: int
    edges: int
    mean: float

    def to_json(self) -> dict[str, Json]:
        return {
            "highest": self.highest,
            "certain_pairs": self.certain,
            "certain_pairs_without_identity": self.hidden,
            "certain_edges": self.edges,
            "mean": self.mean,
        }


@dataclass(frozen=True)
class EdgeDisclosure(Measure[Graph, EdgeRisk]):
    """How surely somebody who knows the degrees of two people knows that they are joined.

    It is the share of the pairs of candidates that are joined. With several candidates for both people it can
    still be 1: then their identity is protected and the edge is not.

    Hay et al., "Resisting structural re-identification in anonymized social networks", 2008; thesis figure
    7.2.
    """

    name: ClassVar[str] = "edge-disclosure"

    def measure(self, graph: Graph) -> EdgeRisk:
        """Over all pairs of degrees between which there is an edge."""
        graph = graph.undirected()
        if not graph.edges:
            return EdgeRisk(0.0, 0, 0, 0, 0.0)
        counted = np.bincount(graph.degrees)
        sizes = counted[counted > 0]
        ranks = np.cumsum(counted > 0) - 1
        keys, edges = _between(graph, ranks[graph.degrees], len(sizes))
        one, other = np.divmod(keys, len(sizes))
        pairs = np.where(one == other, sizes[one] * (sizes[one] - 1) // 2, sizes[one] * sizes[other])
        certain = edges == pairs  # whole numbers: certain means certain
        hidden = certain & ((sizes[one] > 1) | (sizes[other] > 1))
        chances = edges / pairs
        return EdgeRisk(
            highest=float(chances.max()),
            certain=int(np.count_nonzero(certain)),
            hidden=int(np.count_nonzero(hidden)),
            edges=int(edges[certain].sum()),
            mean=float((chances * edges).sum() / graph.edges),
        )


def _between(graph: Graph, classes: Int64, number: int) -> tuple[Int64, Int64]:
    """The pairs of classes with edges between them (smaller number first), and how many edges each."""
    ends = graph.edge_list()
    table = np.zeros(number * number, np.int64) if number * number <= CELLS else None
    parts: list[Int64] = []
    for at in range(0, len(ends), AT_ONCE):
        one, other = classes[ends.sources[at : at + AT_ONCE]], classes[ends.targets[at : at + AT_ONCE]]
        keys = np.minimum(one, other) * number + np.maximum(one, other)
        if table is not None:
            table += np.bincount(keys, minlength=len(table))
        else:
            parts.append(keys)
    if table is None:
        found, counts = np.unique(np.concatenate(parts), return_counts=True)
        return found, counts
    found = np.flatnonzero(table)
    return found, table[found]
