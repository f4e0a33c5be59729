"""What a method is asked for."""

from __future__ import annotations

import pytest

from graphs.drawn import graph_of
from shoal.core.errors import BadParameter
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_grouping import KGrouping
from shoal.graphs.requested_k import largest_k

GRAPH = graph_of(6, (0, 1))


def test_the_strictest_of_several_counts() -> None:
    assert largest_k([KDegree(2), KDegree(5), KDegree(3)], "k-degree", "supergraph", GRAPH) == 5


def test_another_promise_is_refused_with_the_method_that_keeps_it() -> None:
    with pytest.raises(BadParameter, match=r"reaches k-degree, not k-grouping\(k=2\); use method grouping"):
        largest_k([KDegree(2), KGrouping(2)], "k-degree", "supergraph", GRAPH)


def test_no_promise_is_refused() -> None:
    with pytest.raises(BadParameter, match=r'give model "k-degree\(k=5\)"'):
        largest_k([], "k-degree", "supergraph", GRAPH)


def test_more_than_there_are_nodes_is_refused() -> None:
    with pytest.raises(BadParameter, match="needs at least 7 nodes, and the graph has 6"):
        largest_k([KDegree(7)], "k-degree", "supergraph", GRAPH)
