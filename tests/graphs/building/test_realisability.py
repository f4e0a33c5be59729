"""Which degrees a graph can have, against every small graph."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import drawn_graph, labelled, numbers, of_pairs, pairs_of, unlabelled
from shoal.graphs.building.realisability import may_surround, realisable, shortage
from shoal.graphs.graph import Graph, Int64


def brute_gap(degrees: list[int]) -> int:
    """The largest violation of inequality 9.7, as it is written (with l up to n)."""
    falling = sorted(degrees, reverse=True)
    gaps = [0]
    for size in range(1, len(falling) + 1):
        offered = size * (size - 1) + sum(min(size, degree) for degree in falling[size:])
        gaps.append(sum(falling[:size]) - offered)
    return max(gaps)


def brute_surrounds(graph: Graph, degrees: Int64) -> bool:
    """Inequality 9.8 as it is written."""
    wanted = (degrees - graph.degrees).tolist()
    if min(wanted) < 0 or sum(wanted) % 2:
        return False
    ranked = sorted(range(graph.nodes), key=lambda node: -wanted[node])
    for size in range(1, graph.nodes):
        first = set(ranked[:size])
        within = [len(first & set(graph.neighbours(node).tolist())) for node in range(graph.nodes)]
        inner = sum(size - 1 - within[node] for node in first)
        outer = sum(min(size - within[node], wanted[node]) for node in ranked[size:])
        if sum(wanted[node] for node in first) > inner + outer:
            return False
    return True


@pytest.mark.parametrize("nodes", range(1, 6))
def test_degrees_are_realisable_if_and_only_if_some_graph_has_them(nodes: int) -> None:
    real = {tuple(sorted(graph.degrees.tolist())) for graph in labelled(nodes) if graph.nodes == nodes}
    for degrees in combinations_with_replacement(range(nodes + 2), nodes):
        assert realisable(numbers(*degrees)) == (degrees in real), degrees


def test_one_node_has_no_edges_although_theorem_9_5_checks_nothing_there() -> None:
    assert not realisable(numbers(2))
    assert realisable(numbers(0))
    assert realisable(numbers())


def test_a_degree_below_zero_is_no_degree() -> None:
    assert not realisable(numbers(-1, 1))


@given(st.lists(st.integers(0, 30), min_size=31, max_size=60))
def test_the_shortage_is_the_largest_violation(degrees: list[int]) -> None:
    assert shortage(numbers(*degrees)).missing == brute_gap(degrees)


def test_two_hubs_lack_the_partners_that_the_shortage_says() -> None:
    found = shortage(numbers(5, 5, 1, 1, 1, 1))
    assert (found.missing, found.size) == (4, 2)


@given(st.integers(0, 10**6))
def test_condition_9_8_is_what_the_formula_says(seed: int) -> None:
    chance = np.random.default_rng(seed)
    graph = drawn_graph(int(chance.integers(2, 12)), int(chance.integers(0, 20)), seed)
    target = np.minimum(graph.degrees + chance.integers(0, 6, graph.nodes), graph.nodes - 1)
    assert may_surround(graph, target) == brute_surrounds(graph, target)


def test_condition_9_8_never_denies_a_supergraph_that_is_there() -> None:
    every = [graph for graph in labelled(5) if graph.nodes == 5]
    for graph in (graph for graph in unlabelled(5) if graph.nodes == 5):
        for larger in every:
            if pairs_of(graph) <= pairs_of(larger):
                assert may_surround(graph, larger.degrees)


def test_what_no_supergraph_can_have_is_denied() -> None:
    graph = of_pairs(3, [(0, 1)])
    assert not may_surround(graph, numbers(2, 2, 0))  # they know each other already
    assert not may_surround(graph, numbers(0, 0, 0))  # edges do not go away
    assert not may_surround(graph, numbers(2, 1, 0))  # an odd sum


def test_nobody_surrounds_nobody() -> None:
    assert may_surround(of_pairs(0, []), numbers())
