"""k-degree anonymity by removed edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import graphs, pairs_of, power_law
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.methods.deletion import Deletion
from shoal.graphs.models.k_degree import KDegree


@given(graphs(), st.data())
def test_no_edge_is_made_up_and_the_figures_are_exact(graph: Graph, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, graph.nodes))
    release = Deletion(seed=1).protect(graph, [KDegree(k)])
    assert isinstance(release.graph, Graph)
    after = pairs_of(release.graph)
    assert after <= pairs_of(graph) and release.added == 0
    assert release.removed == graph.edges - len(after)
    assert KDegree(k).holds(release.seen()).all()
    assert release.graph.nodes == graph.nodes  # whoever lost all friends is still there


@pytest.mark.parametrize("k", [5, 50])
def test_graphs_with_hubs_keep_most_edges(k: int) -> None:
    graph = power_law(3000, 9000, 8)
    release = Deletion(seed=1).protect(graph, [KDegree(k)])
    assert release.removed is not None and isinstance(release.details["fewest_removed"], int)
    assert release.details["fewest_removed"] <= release.removed <= 1.2 * release.details["fewest_removed"]


def test_too_many_are_refused() -> None:
    with pytest.raises(BadParameter, match="lower k"):
        Deletion().protect(power_law(10, 9, 1), [KDegree(11)])
