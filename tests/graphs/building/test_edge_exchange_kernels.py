"""The compiled loops that exchange edges, against plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import graphs, numbers, of_pairs, pairs_of
from graphs.building.swap_table import Bench, bench, ranked
from shoal.graphs.building import edge_exchange_kernels as kernels
from shoal.graphs.building.edge_editing_kernels import flip_edge
from shoal.graphs.graph import Graph, Int64

NO_LOG = np.empty(0, np.int64)


def state(seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array([seed], np.uint64)


def pair(one: int, other: int) -> tuple[int, int]:
    return (min(one, other), max(one, other))


@given(graphs(), st.integers(0, 10**6))
def test_an_exchange_serves_two_with_one_edge_of_the_graph(graph: Graph, seed: int) -> None:
    at = bench(graph, seed, 0, 1)
    before = int(at.need.sum())
    kernels.exchange_edges(*at.arguments, ranked(at.need), NO_LOG, 10**6, 10**6, state(seed + 1))
    at.check()
    assert (at.need >= 0).all()
    assert before - int(at.need.sum()) == 2 * (len(at.changed(1)) - len(at.changed(-1)))


@given(graphs(), st.integers(0, 10**6))
def test_exchanges_end_when_no_edge_of_the_graph_can_give_way(graph: Graph, seed: int) -> None:
    at = bench(graph, seed, 0, 1)
    kernels.exchange_edges(*at.arguments, ranked(at.need), NO_LOG, 10**6, 10**6, state(seed + 1))
    short = np.flatnonzero(at.need > 0).tolist()
    now = at.pairs
    for one in short[:1]:
        for other in short[1:]:
            assert pair(one, other) in now
            for edge in now & pairs_of(graph):
                for x, y in (edge, edge[::-1]):
                    if x != one and y != other and one != y and other != x:
                        assert pair(one, x) in now or pair(other, y) in now


def test_no_more_edges_of_the_graph_go_than_are_allowed() -> None:
    # 0 and 1 know each other and want two edges each; the rest is a ring.
    ring = [(node, node + 1) for node in range(2, 9)]
    for allowed in range(3):
        at = Bench(of_pairs(10, [(0, 1), *ring]), numbers(2, 2, *[0] * 8))
        kernels.exchange_edges(*at.arguments, numbers(0, 1), NO_LOG, allowed, 9, state(5))
        at.check()
        assert len(at.changed(-1)) == allowed
        assert int(at.need.sum()) == 4 - 2 * allowed


def test_an_added_edge_goes_before_one_of_the_graph() -> None:
    at = Bench(of_pairs(6, [(0, 1), (2, 3)]), numbers(1, 1, 0, 0, 0, 0))
    flip_edge(6, at.keys, at.signs, 4, 5, 1)
    at.goal[[4, 5]] += 1
    kernels.exchange_edges(*at.arguments, numbers(0, 1), at.keys[at.signs > 0], 9, 9, state(5))
    at.check()
    assert not at.need.any() and not at.changed(-1)
    assert at.pairs >= {(0, 1), (2, 3)}


@given(graphs(), st.integers(0, 10**6))
def test_two_with_too_many_hand_an_edge_to_their_neighbours(graph: Graph, seed: int) -> None:
    at = bench(graph, seed, -2, 0)
    before = int(at.need.sum())
    kernels.shorten_paths(*at.arguments, ranked(-at.need), 10**6, state(seed + 1))
    at.check()
    assert (at.need <= 0).all()
    assert int(at.need.sum()) - before == 2 * (len(at.changed(-1)) - len(at.changed(1)))


def test_a_star_falls_apart_into_pairs() -> None:
    at = Bench(of_pairs(401, [(0, leaf) for leaf in range(1, 401)]), numbers(-400, *[0] * 400))
    at.keys, at.signs = np.full(4096, -1, np.int64), np.zeros(4096, np.int8)
    kernels.shorten_paths(*at.arguments, numbers(0), 1000, state(7))
    at.check()
    assert not at.need.any() and len(at.pairs) == 200


def alike(goal: Int64) -> Int64:
    return np.bincount(goal)[goal]


@given(graphs(), st.integers(0, 10**6), st.integers(1, 5))
def test_sharing_with_large_classes_leaves_k_in_each(graph: Graph, seed: int, k: int) -> None:
    at = bench(graph, seed, -1, 1)
    at.need[alike(at.goal) < k] = 0  # whose class is too small from the start is no business of this loop
    at.goal = graph.degrees + at.need
    kept = alike(at.goal) >= k
    counts = np.bincount(at.goal)
    kernels.spread(*at.arguments, at.goal, counts, k, ranked(np.abs(at.need)), 10**6, state(seed + 1))
    at.check()
    assert counts.tolist() == np.bincount(at.goal, minlength=len(counts)).tolist()
    assert (alike(at.goal)[kept] >= k).all()


def test_what_is_left_after_sharing_is_even_or_nothing() -> None:
    # Four of degree 1, three of degree 2 and k = 3: one of the four may go up, and node 6 wants two edges.
    graph = of_pairs(8, [(0, 1), (2, 3), (4, 5), (5, 6), (6, 4)])
    at = Bench(graph, numbers(0, 0, 0, 0, 0, 0, 2, 0))
    counts = np.bincount(at.goal, minlength=5)
    kernels.spread(*at.arguments, at.goal, counts, 3, numbers(6), 9, state(3))
    at.check()
    assert int(at.need.sum()) in (0, 2)
