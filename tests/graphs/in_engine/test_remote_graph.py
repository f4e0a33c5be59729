"""A graph that is elsewhere has a size and no edges."""

from __future__ import annotations

import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.in_engine.remote_graph import RemoteGraph


def test_a_graph_elsewhere_knows_its_size_and_refuses_its_edges() -> None:
    graph = RemoteGraph.sized(10, 9)
    assert (graph.nodes, graph.edges, graph.density) == (10, 9, 0.2)
    with pytest.raises(BadParameter, match="read the table that was written"):
        graph.edge_list()
