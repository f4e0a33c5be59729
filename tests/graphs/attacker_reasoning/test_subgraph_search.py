"""Finding some people again: against all ways to place them, tried one by one."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.drawn import graph_of, graphs
from shoal.graphs.attacker_reasoning.known_members import known_by
from shoal.graphs.attacker_reasoning.subgraph_search import (
    MOST_FOUND,
    Pattern,
    find_subgraph,
    shared_friends,
)
from shoal.graphs.graph import Graph


def pattern_of(graph: Graph, people: list[int], low: int = 0, high: int = 0) -> Pattern:
    joined = np.array([[graph.has(one, other) for other in people] for one in people], np.bool_)
    degrees = graph.degrees[people]
    return Pattern(joined, degrees - low, degrees + high)


def by_hand(graph: Graph, pattern: Pattern, added: int, removed: int) -> set[tuple[int, ...]]:
    """The plain twin: every way to choose people in order; connected to somebody before where they can be."""
    found, size = set(), len(pattern.least)
    for nodes in permutations(range(graph.nodes), size):
        fits = all(pattern.least[i] <= graph.degrees[node] <= pattern.most[i] for i, node in enumerate(nodes))
        pairs = list(combinations(range(size), 2))
        extra = sum(graph.has(nodes[i], nodes[j]) and not pattern.joined[i, j] for i, j in pairs)
        lost = sum(not graph.has(nodes[i], nodes[j]) and pattern.joined[i, j] for i, j in pairs)
        near = all(
            not pattern.joined[:i, i].any()
            or any(pattern.joined[j, i] and graph.has(nodes[j], nodes[i]) for j in range(i))
            for i in range(size)
        )
        if fits and near and extra <= added and lost <= removed and known_so(graph, pattern, nodes):
            found.add(nodes)
    return found


def known_so(graph: Graph, pattern: Pattern, nodes: tuple[int, ...]) -> bool:
    """Friends in common, and sets in which others know them, as people are placed one by one."""
    friends = [set(graph.neighbours(node).tolist()) for node in nodes]
    low, high = pattern.in_common()
    lacking = 0
    for at, mine in enumerate(friends):
        for i in range(at):
            if not low[i, at] <= len(mine & friends[i]) <= high[i, at]:
                return False
        for code in pattern.codes:
            before = code & ((1 << at) - 1)
            if code >> at & 1 and before:
                masks = [sum(1 << i for i in range(at) if one in friends[i]) for one in mine]
                lacking += before not in masks
    return lacking <= pattern.unseen


@settings(max_examples=60, deadline=None)
@given(graphs(7), graphs(7), st.integers(1, 4), st.integers(0, 2), st.integers(0, 2), st.integers(0, 1))
def test_everybody_who_may_be_them_is_found_once(
    graph: Graph, other: Graph, size: int, added: int, removed: int, slack: int
) -> None:
    people = np.arange(min(size, other.nodes))
    pattern = pattern_of(other, people.tolist(), slack, slack)
    if slack:
        codes = tuple(sorted(set(known_by(other, people).values())))
        pattern = replace(pattern, shared=shared_friends(other, people), shared_less=1, shared_more=1)
        pattern = replace(pattern, codes=codes, unseen=added)
    wanted = by_hand(graph, pattern, added, removed)
    found = find_subgraph(graph, pattern, added, removed)
    told = [tuple(row) for row in found.nodes.tolist()]
    assert len(told) == len(set(told)) and found.tree >= len(told)
    if len(wanted) < MOST_FOUND:
        assert set(told) == wanted and found.whole
    else:
        assert set(told) <= wanted and len(told) == MOST_FOUND


def test_people_are_found_where_all_answers_agree() -> None:
    path = graph_of(5, (0, 1), (1, 2), (2, 3), (2, 4))
    one = find_subgraph(path, pattern_of(path, [2, 1, 0]))
    assert one.agreed.tolist() == [2, 1, 0]
    either = find_subgraph(path, pattern_of(path, [2, 3]))
    assert len(either) == 2 and either.agreed.tolist() == [2, -1]
    nobody = find_subgraph(path, Pattern(np.zeros((2, 2), np.bool_), np.array([9, 9]), np.array([9, 9])))
    assert not len(nobody) and nobody.agreed.tolist() == [-1, -1]


def test_a_search_that_was_not_finished_is_sure_of_nobody() -> None:
    ring = graph_of(40, *((i, (i + 1) % 40) for i in range(40)))
    found = find_subgraph(ring, pattern_of(ring, [0, 1, 2]))
    assert not found.whole and len(found) == MOST_FOUND and set(found.agreed.tolist()) == {-1}
    short = find_subgraph(ring, pattern_of(ring, [0, 1, 2]), steps=5)
    assert not short.whole and set(short.agreed.tolist()) == {-1}
