"""The compiled loops that change a graph edge by edge, against plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import graphs, numbers, of_pairs, pairs_of
from graphs.building.swap_table import Bench, bench, ranked
from shoal.graphs.building import edge_editing_kernels as kernels
from shoal.graphs.graph import Graph


@given(graphs(), st.integers(0, 10**6))
def test_the_table_of_changes_is_a_set_of_edges(graph: Graph, seed: int) -> None:
    chance = np.random.default_rng(seed)
    at = Bench(graph, np.zeros(graph.nodes, np.int64))
    now = pairs_of(graph)
    for _ in range(60):
        one, other = map(int, chance.choice(graph.nodes, 2, replace=False))
        pair = (min(one, other), max(one, other))
        there = kernels.adjacent(*at.table, one, other)
        assert there == (pair in now)
        kernels.flip_edge(graph.nodes, at.keys, at.signs, one, other, -1 if there else 1)
        now ^= {pair}
    assert at.pairs == now


def test_many_edges_are_entered_at_once() -> None:
    at = Bench(of_pairs(4, [(0, 1)]), np.zeros(4, np.int64))
    kernels.add_edges(4, at.keys, at.signs, np.array([3, 0], np.int32), np.array([2, 2], np.int32))
    assert at.pairs == {(0, 1), (2, 3), (0, 2)}


@given(graphs(), st.integers(0, 10**6))
def test_dropping_ends_when_no_two_neighbours_have_too_many(graph: Graph, seed: int) -> None:
    at = bench(graph, seed, -2, 1)
    wanted = at.need.copy()
    kernels.drop_edges(*at.arguments, ranked(-at.need))
    at.check()
    assert not at.changed(1)
    assert not any(at.need[one] < 0 and at.need[other] < 0 for one, other in at.pairs)
    assert (at.need[wanted >= 0] == wanted[wanted >= 0]).all() and (at.need[wanted < 0] <= 0).all()


@given(graphs(), st.integers(0, 10**6))
def test_turning_ends_when_no_edge_can_be_turned(graph: Graph, seed: int) -> None:
    at = bench(graph, seed, -2, 2)
    kernels.turn_edges(*at.arguments, ranked(-at.need), ranked(at.need), np.array([seed + 1], np.uint64))
    at.check()
    assert len(at.changed(1)) == len(at.changed(-1)) or not at.changed(-1)
    original = pairs_of(graph)
    for source in np.flatnonzero(at.need < 0):
        for node in np.flatnonzero(at.need > 0):
            for other in set(range(graph.nodes)) - {source, node}:
                old = (min(source, other), max(source, other))
                new = (min(node, other), max(node, other))
                assert not (old in original and old in at.pairs and new not in at.pairs)


def test_an_edge_is_turned_from_who_has_too_many_to_who_has_too_few() -> None:
    at = Bench(of_pairs(4, [(0, 1), (0, 2)]), numbers(-1, 0, 0, 1))
    kernels.turn_edges(*at.arguments, numbers(0), numbers(3), np.array([1], np.uint64))
    at.check()
    assert not at.need.any() and len(at.pairs) == 2
