"""The diameter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.measures.diameter import Diameter

from .builders import all_graphs, graph_of, random_graph, skewed_graph, walked


def twin(graph: Graph) -> int:
    return max((max(walked(graph, node).values()) for node in range(graph.nodes)), default=0)


def test_the_diameter_is_the_largest_finite_distance_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        found = Diameter().measure(graph)
        assert found.exact and found.value == twin(graph)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("edges", [100, 220, 600])
def test_the_diameter_of_larger_graphs_in_one_piece_and_in_many(seed: int, edges: int) -> None:
    for graph in (random_graph(200, edges, seed), skewed_graph(200, edges, seed)):
        assert Diameter().measure(graph).value == twin(graph)


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(10, 80))
def test_bounds_hold_however_few_walks_there_are(seed: int, walks: int, edges: int) -> None:
    graph = random_graph(40, edges, seed)
    found, truth = Diameter(sample=walks).measure(graph), twin(graph)
    if found.exact:
        assert found.value == truth
    else:
        assert found.low is not None and found.high is not None
        assert found.value == found.low <= truth <= found.high


def test_a_circle_needs_a_walk_from_everybody_and_a_star_needs_two() -> None:
    circle = graph_of(40, [(at, (at + 1) % 40) for at in range(40)])
    assert not Diameter(sample=5).measure(circle).exact
    assert Diameter(exact=True).measure(circle).value == 20
    star = graph_of(40, [(0, at) for at in range(1, 40)])
    assert Diameter(sample=2).measure(star).exact


@pytest.mark.parametrize("given", [{"exact": True, "sample": 3}, {"sample": 0}])
def test_nonsense_is_refused(given: dict[str, int]) -> None:
    with pytest.raises(BadParameter):
        Diameter(**given)  # type: ignore[arg-type]
