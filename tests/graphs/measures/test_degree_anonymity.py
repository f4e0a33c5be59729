"""Anonymity by degree."""

from __future__ import annotations

from collections import Counter

from shoal.graphs.graph import Graph
from shoal.graphs.measures.degree_anonymity import DegreeAnonymity

from .builders import all_graphs


def test_the_level_is_the_rarest_degree_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        counted = Counter(graph.degrees.tolist())
        found = DegreeAnonymity().measure(graph)
        assert found.level == min(counted.values(), default=0)
        assert found.classes == len(counted)
        assert round(found.alone * graph.nodes) == sum(size == 1 for size in counted.values())


def test_direction_is_left_aside() -> None:
    graph = Graph.of_edges(3, [0, 1, 2], [1, 2, 0], directed=True)
    assert DegreeAnonymity().measure(graph).level == 3
