"""Who is told from others by how their friends are joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.graphs.appraisal.anonymity import Anonymity
from shoal.graphs.graph import Graph
from shoal.graphs.neighbourhoods.classes import alike


@dataclass(frozen=True)
class NeighbourhoodAnonymity(Measure[Graph, Anonymity]):
    """How many people share the rarest pattern of friendships among one's friends, and how many are alone.

    Two people are alike exactly if the graphs that their friends make up are isomorphic (what a node is
    counts where the graph says it). No hash or weaker invariant stands in for isomorphism, so nobody is
    called alike who is not.

    Zhou & Pei, "Preserving privacy in social networks against neighborhood attacks", 2008; the canonical
    form: Junttila & Kaski, BLISS, 2007.
    """

    name: ClassVar[str] = "neighbourhood-anonymity"

    def measure(self, graph: Graph) -> Anonymity:
        """By the one-hop neighbourhood."""
        graph = graph.undirected()
        kinds = np.zeros(graph.nodes, np.int64)
        if graph.kinds is not None:
            # A missing kind is a kind.
            kinds = graph.kinds.rank("dense").fill_null(0).to_numpy().astype(np.int64)
        return Anonymity.of(alike(graph, kinds))


def neighbourhood_work(graph: Graph) -> float:
    """Steps that it takes to look at all neighbourhoods of an undirected graph, at most."""
    squares = float((graph.degrees.astype(np.float64) ** 2).sum())
    return min(squares, len(graph.targets) * float(np.sqrt(len(graph.targets))))
