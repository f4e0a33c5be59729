"""Partners from large and from whole classes: classes stay above k, pairs stay open, stubs add up."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.test_stub_matching_kernels import is_open, noted
from graphs.drawn import graph_of, graphs
from shoal.graphs.building import stub_filling_kernels as kernels
from shoal.graphs.building.stub_matching_kernels import new_book
from shoal.graphs.graph import Graph, Int64

SEED = np.uint64(12345)


def in_order(row: kernels.Row, levels: Int64) -> bool:
    """Whether every node stands within its level, where the row says it does."""
    nodes, places, begins, _ = row
    assert sorted(nodes) == list(range(len(levels)))
    return all(
        nodes[places[node]] == node and begins[level] <= places[node] < begins[level + 1]
        for node, level in enumerate(levels)
    )


@given(st.lists(st.integers(0, 6), min_size=1, max_size=20))
def test_nodes_stand_in_a_row_by_level(levels: list[int]) -> None:
    assert in_order(kernels.new_row(np.array(levels), 8, SEED), np.array(levels))


@given(graphs(12), st.data(), st.integers(1, 4), st.booleans())
def test_large_classes_give_partners_and_keep_k(
    graph: Graph, data: st.DataObject, k: int, deleting: bool
) -> None:
    node = data.draw(st.integers(0, graph.nodes - 1))
    levels = np.array([data.draw(st.integers(0, 3)) for _ in range(graph.nodes)], np.int64)
    before = Counter(levels.tolist())
    stubs = np.zeros(graph.nodes, np.int64)
    stubs[node] = wanted = data.draw(st.integers(1, graph.nodes))
    row, book = kernels.new_row(levels, 6, SEED), new_book(graph.nodes, 100)
    was = levels.copy()
    rows = graph.offsets, graph.targets
    assert kernels.from_large_classes(node, k, stubs, levels, row, *rows, deleting, book)
    pairs = noted(book)
    assert in_order(row, levels) and len(pairs) == wanted - stubs[node]
    assert len(set(pairs)) == len(pairs) and all(pair[0] == node for pair in pairs)
    assert all(is_open(graph, set(), *pair, deleting) for pair in pairs)
    moved = np.flatnonzero(levels != was)
    assert sorted(moved) == sorted(partner for _, partner in pairs)
    assert (levels - was <= 1).all()
    after = Counter(levels.tolist())
    for level, size in before.items():
        assert after[level] >= min(size, k)  # what was large enough still is
    assert all(before[int(level)] >= k for level in levels[moved])  # and nobody goes where too few are


@given(graphs(12), st.data(), st.integers(1, 4), st.booleans())
def test_whole_classes_move_so_that_all_keep_k(
    graph: Graph, data: st.DataObject, k: int, deleting: bool
) -> None:
    node = data.draw(st.integers(0, graph.nodes - 1))
    sizes = data.draw(st.lists(st.sampled_from([0, k, k + 1, 2 * k]), min_size=4, max_size=4))
    levels = np.repeat(np.arange(4), sizes)[: graph.nodes]
    levels = np.concatenate((levels, np.full(graph.nodes - len(levels), 5)))
    if min(Counter(levels.tolist()).values()) < k:
        return
    stubs = np.zeros(graph.nodes, np.int64)
    stubs[node] = wanted = data.draw(st.integers(1, graph.nodes))
    row, book = kernels.new_row(levels, 7, SEED), new_book(graph.nodes, 100)
    was = levels.copy()
    rows = graph.offsets, graph.targets
    helped = kernels.from_whole_classes(node, k, stubs, levels, row, *rows, deleting, book)
    others = [other for other in range(graph.nodes) if is_open(graph, set(), node, other, deleting)]
    assert helped == bool(others)  # there is always a class to move, if only as a whole
    pairs = noted(book)
    assert in_order(row, levels)
    assert min(Counter(levels.tolist()).values()) >= k
    assert all(is_open(graph, set(), *pair, deleting) for pair in pairs) and len(set(pairs)) == len(pairs)
    # Every step gives a stub; an edge to the node uses one of each.
    met = np.bincount(np.array(pairs, np.int64).ravel(), minlength=graph.nodes)
    assert (met + stubs == levels - was + np.where(np.arange(graph.nodes) == node, wanted, 0)).all()


def test_a_full_record_is_told() -> None:
    graph = graph_of(6)
    levels, stubs = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 0, 0, 3])
    row, book = kernels.new_row(levels, 4, SEED), new_book(6, 1)
    assert not kernels.from_large_classes(5, 1, stubs, levels, row, graph.offsets, graph.targets, False, book)
