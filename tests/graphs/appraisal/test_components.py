"""The pieces of a graph."""

from __future__ import annotations

from graphs.measures.builders import all_graphs, graph_of, walked
from shoal.graphs.appraisal.components import Components


def test_pieces_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        pieces = {frozenset(walked(graph, node)) for node in range(graph.nodes)}
        found = Components.of(graph)
        assert found.summary.number == len(pieces)
        assert found.summary.largest == max(map(len, pieces), default=0)
        assert found.summary.alone == sum(len(piece) == 1 for piece in pieces)
        assert found.joined_pairs == sum(len(piece) * (len(piece) - 1) for piece in pieces)


def test_the_summary_becomes_json() -> None:
    found = Components.of(graph_of(4, [(0, 2)])).summary
    assert found.to_json() == {"number": 3, "largest": 2, "alone": 2}
