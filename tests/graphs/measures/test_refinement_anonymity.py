"""Anonymity by vertex refinement."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.measures.refinement_anonymity import RefinementAnonymity

from .builders import all_graphs, graph_of, random_graph


def answers(graph: Graph, depth: int) -> list[Any]:
    """H_i of every node, as it is defined: a multiset of multisets."""
    found: list[Any] = [()] * graph.nodes
    for _ in range(depth):
        found = [
            frozenset(Counter(found[other] for other in graph.neighbours(node).tolist()).items())
            for node in range(graph.nodes)
        ]
    return found


def test_every_question_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        found = RefinementAnonymity().measure(graph)
        assert found.settled
        for depth, one in enumerate(found.queries):
            sizes = Counter(answers(graph, depth)).values()
            assert (one.level, one.classes) == (min(sizes, default=0), len(sizes))
        after = len(set(answers(graph, len(found.queries))))
        assert after == found.last.classes, "one more round would have told more"


@pytest.mark.parametrize("seed", range(3))
def test_every_question_in_larger_graphs(seed: int) -> None:
    graph = random_graph(60, 80, seed)
    for depth, one in enumerate(RefinementAnonymity().measure(graph).queries[:5]):
        sizes = Counter(answers(graph, depth)).values()
        assert (one.level, one.classes) == (min(sizes), len(sizes))


def test_nothing_known_hides_among_all_and_a_ring_hides_for_ever() -> None:
    ring = graph_of(9, [(at, (at + 1) % 9) for at in range(9)])
    found = RefinementAnonymity().measure(ring)
    assert found.settled and len(found.queries) == 1 and found.last.level == 9


def test_it_stops_after_so_many_rounds_and_says_so() -> None:
    path = graph_of(50, [(at, at + 1) for at in range(49)])
    found = RefinementAnonymity(rounds=3).measure(path)
    assert not found.settled and len(found.queries) == 4
    whole = RefinementAnonymity(rounds=1000).measure(path)
    assert whole.settled and whole.last.classes == 25 and whole.last.level == 2
    assert whole.to_json()["settled"] is True


def test_no_rounds_are_refused() -> None:
    with pytest.raises(BadParameter, match="rounds=0"):
        RefinementAnonymity(rounds=0)
