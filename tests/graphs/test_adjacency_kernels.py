"""The compiled loops against their plain-Python twins."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphs.drawn import graphs
from shoal.graphs import adjacency_kernels as kernels
from shoal.graphs.graph import Graph

Pairs = list[tuple[int, int]]


def plain_rows(nodes: int, pairs: Pairs, both: bool) -> tuple[list[list[int]], int]:
    """The twin of `rows_of`: rows in order, and how many entries were there twice."""
    entries = [(one, other) for one, other in pairs if one != other]
    entries += [(other, one) for one, other in entries] if both else []
    rows = [sorted({other for one, other in entries if one == node}) for node in range(nodes)]
    return rows, len(entries) - sum(map(len, rows))


def ends(pairs: Pairs) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    array = np.array(pairs, np.int32).reshape(-1, 2)
    return array[:, 0].copy(), array[:, 1].copy()


def cut(offsets: NDArray[np.int64], found: NDArray[np.int32]) -> list[list[int]]:
    return [found[start:end].tolist() for start, end in itertools.pairwise(offsets)]


def test_rows_of_every_graph_up_to_four_nodes_agree_with_the_twin() -> None:
    for nodes in range(5):
        possible = list(itertools.combinations_with_replacement(range(nodes), 2))
        for bits in range(1 << len(possible)):
            pairs = [pair for at, pair in enumerate(possible) if bits >> at & 1]
            for both in (True, False):
                offsets, found, repeated = kernels.rows_of(nodes, *ends(pairs[::-1]), both)
                assert (cut(offsets, found), repeated) == plain_rows(nodes, pairs, both)


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, Pairs]:
    nodes = draw(st.integers(1, 12))
    end = st.integers(0, nodes - 1)
    return nodes, draw(st.lists(st.tuples(end, end), max_size=60))


@given(edge_lists(), st.booleans())
def test_rows_with_loops_and_repeats_agree_with_the_twin(given: tuple[int, Pairs], both: bool) -> None:
    nodes, pairs = given
    offsets, found, repeated = kernels.rows_of(nodes, *ends(pairs), both)
    assert (cut(offsets, found), repeated) == plain_rows(nodes, pairs, both)


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("nodes", [1023, 1024, 1025, 5000, 300_000, 1_000_001])
def test_rows_that_go_through_many_buckets_are_the_same(nodes: int, both: bool) -> None:
    chance = np.random.default_rng(nodes)
    sources, targets = (chance.integers(0, nodes, 20_000).astype(np.int32) for _ in range(2))
    sources[:50], targets[:50] = nodes - 1, chance.integers(0, nodes, 50)
    offsets, found, repeated = kernels.rows_of(nodes, sources, targets, both)
    keep = sources != targets
    keys = sources[keep].astype(np.int64) * nodes + targets[keep]
    if both:
        keys = np.concatenate((keys, targets[keep].astype(np.int64) * nodes + sources[keep]))
    expected = np.unique(keys)
    assert np.array_equal(found, expected % nodes) and repeated == len(keys) - len(expected)
    assert np.array_equal(np.diff(offsets), np.bincount(expected // nodes, minlength=nodes))


@given(edge_lists(), st.booleans())
def test_edges_come_back_from_rows(given: tuple[int, Pairs], both: bool) -> None:
    nodes, pairs = given
    offsets, found, _ = kernels.rows_of(nodes, *ends(pairs), both)
    sources, targets = kernels.edges_of(offsets, found, both)
    rows, _ = plain_rows(nodes, pairs, both)
    expected = [(node, end) for node, row in enumerate(rows) for end in row if not both or node < end]
    assert list(zip(sources.tolist(), targets.tolist(), strict=True)) == expected


@given(edge_lists(), st.data())
def test_merged_rows_have_what_is_more_and_lack_what_is_less(
    given: tuple[int, Pairs], data: st.DataObject
) -> None:
    nodes, pairs = given
    there = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    absent = [pair for pair in itertools.combinations(range(nodes), 2) if pair not in there]
    less = [pair for pair in there if data.draw(st.booleans())]
    more = data.draw(st.lists(st.sampled_from(absent), unique=True, max_size=10)) if absent else []
    old, new, gone = (kernels.rows_of(nodes, *ends(part), True)[:2] for part in (there, more, less))
    found = kernels.merge_rows(*old, *new, *gone)
    expected, _ = plain_rows(nodes, sorted({*there, *more} - {*less}), True)
    assert cut(*found) == expected


def test_an_entry_that_is_not_there_cannot_be_merged_away_nor_spoil_memory() -> None:
    rows, more, less = (kernels.rows_of(3, *ends(part), True)[:2] for part in ([(0, 1)], [], [(1, 2)]))
    assert cut(*kernels.merge_rows(*rows, *more, *less)) == [[1], [0], []]


@given(graphs())
def test_whoever_is_in_a_row_is_found_there(graph: Graph) -> None:
    for one in range(graph.nodes):
        friends = set(graph.neighbours(one).tolist())
        found = {
            other
            for other in range(graph.nodes)
            if kernels.has_edge(graph.offsets, graph.targets, one, other)
        }
        assert found == friends


def plainly_drawn(value: int, below: int) -> tuple[int, int]:
    whole = 2**64 - 1
    value ^= value << 13 & whole
    value ^= value >> 7
    value ^= value << 17 & whole
    return value, (value >> 1) % below


@given(st.integers(1, 2**64 - 1), st.integers(1, 10**9))
def test_the_generator_draws_as_plain_python_does(seed: int, below: int) -> None:
    at = np.array([seed], np.uint64)
    for _ in range(3):
        seed, expected = plainly_drawn(seed, below)
        assert kernels.random_below(at, below) == expected
    assert int(at[0]) == seed
