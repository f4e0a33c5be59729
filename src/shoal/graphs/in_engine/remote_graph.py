"""A released graph that is a table in an engine: how large it is, and nothing of its edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Edges, Graph


@dataclass(frozen=True, eq=False)
class RemoteGraph(Graph):
    """Counts of a graph whose edges stay where they are."""

    node_count: int = 0
    edge_count: int = 0

    @classmethod
    def sized(cls, nodes: int, edges: int) -> RemoteGraph:
        """A graph of so many nodes and edges."""
        return cls(np.zeros(1, np.int64), np.empty(0, np.int32), node_count=nodes, edge_count=edges)

    @property
    def nodes(self) -> int:
        return self.node_count

    @property
    def edges(self) -> int:
        return self.edge_count

    def edge_list(self) -> Edges:
        raise BadParameter("the edges of this release are in an engine; read the table that was written")
