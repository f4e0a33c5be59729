"""Edge disclosure by degrees."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest

from shoal.graphs.graph import Graph
from shoal.graphs.measures.edge_disclosure import EdgeDisclosure, EdgeRisk

from .builders import all_graphs, graph_of, skewed_graph


def twin(graph: Graph) -> EdgeRisk:
    """By looking at every pair of people."""
    seen: dict[tuple[int, int], list[bool]] = defaultdict(list)
    degrees = graph.degrees.tolist()
    for one, other in combinations(range(graph.nodes), 2):
        low, high = sorted((degrees[one], degrees[other]))
        seen[low, high].append(graph.has(one, other))
    sure = {pair: answers for pair, answers in seen.items() if all(answers)}
    several = [pair for pair in sure if degrees.count(pair[0]) > 1 or degrees.count(pair[1]) > 1]
    chances = [(sum(answers) / len(answers), sum(answers)) for answers in seen.values()]
    return EdgeRisk(
        highest=max((chance for chance, _ in chances), default=0.0),
        certain=len(sure),
        hidden=len(several),
        edges=sum(map(len, sure.values())),
        mean=sum(chance * edges for chance, edges in chances) / max(1, graph.edges),
    )


def test_chances_are_those_over_all_pairs_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        found, expected = EdgeDisclosure().measure(graph), twin(graph)
        assert (found.certain, found.hidden, found.edges) == (
            expected.certain,
            expected.hidden,
            expected.edges,
        )
        assert (found.highest, found.mean) == pytest.approx((expected.highest, expected.mean))


@pytest.mark.parametrize("cells", [0, 10**6])
@pytest.mark.parametrize("at_once", [7, 10**6])
def test_a_table_of_all_pairs_and_a_list_of_some_say_the_same(
    monkeypatch: pytest.MonkeyPatch, cells: int, at_once: int
) -> None:
    monkeypatch.setattr("shoal.graphs.measures.edge_disclosure.CELLS", cells)
    monkeypatch.setattr("shoal.graphs.measures.edge_disclosure.AT_ONCE", at_once)
    graph = skewed_graph(60, 300, 1)
    found, expected = EdgeDisclosure().measure(graph), twin(graph)
    assert found.certain == expected.certain and found.mean == pytest.approx(expected.mean)


def test_a_clique_hides_everybody_and_no_edge() -> None:
    clique = graph_of(4, list(combinations(range(4), 2)))
    found = EdgeDisclosure().measure(clique)
    assert found == EdgeRisk(highest=1.0, certain=1, hidden=1, edges=6, mean=1.0)
    assert found.to_json()["certain_pairs_without_identity"] == 1
