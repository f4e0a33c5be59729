"""What nodes are, as numbers."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int64


def kind_codes(graph: Graph, labels: bool) -> Int64:
    """The kind of every node from 0 up; zeros where there are none or they do not count."""
    if graph.kinds is None or not labels:
        return np.zeros(graph.nodes, np.int64)
    # Missing is a kind like others: what nobody knows of these people is the same.
    return graph.kinds.rank("dense").fill_null(0).to_numpy().astype(np.int64)
