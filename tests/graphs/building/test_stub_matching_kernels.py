"""The compiled loops that turn stubs into edges, against plain Python and against their own promises."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import graph_of, graphs, pairs_of
from shoal.graphs.building import stub_matching_kernels as kernels
from shoal.graphs.graph import Graph, Int64

Pair = tuple[int, int]


def noted(book: kernels.Book) -> list[Pair]:
    """The changed pairs that stand, in the order they were made."""
    one, other, stands, *_, clock = book
    return [(int(one[at]), int(other[at])) for at in range(clock[0]) if stands[at]]


def is_open(graph: Graph, changed: set[Pair], a: int, b: int, deleting: bool) -> bool:
    return a != b and graph.has(a, b) == deleting and not {(a, b), (b, a)} & changed


def greedy_twin(graph: Graph, order: list[int], stubs: list[int], deleting: bool) -> list[Pair]:
    found: list[Pair] = []
    for place, node in enumerate(order):
        pool = graph.neighbours(node).tolist() if deleting else order[place + 1 :]
        pool = [other for other in pool if stubs[other] and is_open(graph, set(found), node, other, deleting)]
        if deleting and len(pool) > stubs[node]:
            pool.sort(key=lambda other: -stubs[other])
        for other in pool[: stubs[node]]:
            found.append((node, other))
            stubs[node] -= 1
            stubs[other] -= 1
    return found


def lacking(graph: Graph, data: st.DataObject, deleting: bool) -> Int64:
    most = graph.degrees if deleting else graph.nodes - 1 - graph.degrees
    return np.array([data.draw(st.integers(0, min(3, int(room)))) for room in most], np.int64)


@given(graphs(9), st.data(), st.booleans())
def test_loop_and_twin_link_the_same_pairs(graph: Graph, data: st.DataObject, deleting: bool) -> None:
    stubs = lacking(graph, data, deleting)
    order = np.array(data.draw(st.permutations(range(graph.nodes))), np.int64)
    left = stubs.tolist()
    wanted = greedy_twin(graph, order.tolist(), left, deleting)
    book = kernels.new_book(graph.nodes, 100)
    assert kernels.greedy(order, stubs, graph.offsets, graph.targets, deleting, book)
    assert noted(book) == wanted and stubs.tolist() == left


@given(graphs(9), st.data(), st.booleans())
def test_an_exchange_keeps_every_pair_open_and_every_stub_counted(
    graph: Graph, data: st.DataObject, deleting: bool
) -> None:
    wanted = lacking(graph, data, deleting)
    stubs, book = wanted.copy(), kernels.new_book(graph.nodes, 400)
    order = np.arange(graph.nodes)
    rows = graph.offsets, graph.targets
    assert kernels.greedy(order, stubs, *rows, deleting, book)
    before = stubs.copy()
    stuck = np.flatnonzero(stubs)
    assert kernels.exchange(stuck, stubs, *rows, deleting, book, 10**6)
    pairs = noted(book)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert all(is_open(graph, set(), *pair, deleting) for pair in pairs)
    met = np.bincount(np.array(pairs, np.int64).ravel(), minlength=graph.nodes)
    assert (met + stubs == wanted).all()
    assert (stubs <= before).all() and (stubs >= 0).all()
    # A node that still lacks two found no changed pair with both ends open to it.
    for node in np.flatnonzero(stubs >= 2):
        changed = set(pairs)
        for x, y in pairs:
            both = is_open(graph, changed, int(node), x, deleting) and is_open(
                graph, changed, int(node), y, deleting
            )
            assert not both or before[node] != stubs[node] or len(stuck) > 1


def test_a_full_record_is_told_and_not_overrun() -> None:
    graph = graph_of(4)
    book = kernels.new_book(4, 1)
    assert not kernels.greedy(np.arange(4), np.ones(4, np.int64), graph.offsets, graph.targets, False, book)
    assert noted(book) == [(0, 1)]


def test_without_a_budget_nothing_is_exchanged() -> None:
    graph = graph_of(4, (0, 1))
    book, stubs = kernels.new_book(4, 9), np.array([1, 1, 0, 0])
    assert kernels.change(2, 3, book)
    stuck = np.array([0, 1])
    assert kernels.exchange(stuck, stubs, graph.offsets, graph.targets, False, book, 0)
    assert stubs.tolist() == [1, 1, 0, 0] and noted(book) == [(2, 3)]
    assert kernels.exchange(stuck, stubs, graph.offsets, graph.targets, False, book, 10)
    assert stubs.tolist() == [0, 0, 0, 0] and len(noted(book)) == 2
    assert pairs_of(graph) == {(0, 1)}
