"""The compiled loops of the search against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.methods.grouping.twins import cost, random_graph
from shoal.graphs.graph import Graph, Int32
from shoal.graphs.methods.grouping import search_kernels as kernels
from shoal.graphs.methods.grouping.search import Partition

LOGS = np.array([math.lgamma(n + 1) for n in range(60)])


def partition_of(graph: Graph, k: int, groups: int, seed: int) -> Partition:
    sizes = np.full(groups, graph.nodes // groups) + (np.arange(groups) < graph.nodes % groups)
    belongs = np.random.default_rng(seed).permutation(np.repeat(np.arange(groups), sizes))
    return Partition(graph, k, belongs.astype(np.int32))


def consistent(partition: Partition) -> bool:
    for group, size in enumerate(partition.sizes):
        people = partition.members[group, :size]
        if (partition.group_of[people] != group).any() or (
            partition.place_of[people] != np.arange(size)
        ).any():
            return False
    return int(partition.sizes.sum()) == partition.graph.nodes and not partition.rows.any()


def tallied(partition: Partition, here: int, there: int, node: int, friend: int) -> np.ndarray:
    """What the kernels expect before they are asked for a cost; returns how many groups were seen."""
    graph = partition.graph
    everybody = [partition.members[group, : partition.sizes[group]] for group in (here, there)]
    lists: list[Int32] = [*everybody, np.array([node], np.int32), np.array([friend], np.int32)]
    numbers = [
        kernels.tally(
            nodes, graph.offsets, graph.targets, partition.group_of, partition.rows[at], partition.seen[at], 0
        )
        for at, nodes in enumerate(lists)
    ]
    return np.array(numbers, np.int64)


@given(st.integers(0, 200), st.integers(0, 200))
def test_logarithms_of_binomials(several: int, chosen: int) -> None:
    expected = math.log(math.comb(several, chosen)) if chosen <= several else 0.0
    assert kernels.log_choose(LOGS, several, chosen) == pytest.approx(expected, abs=1e-10)


def test_edges_are_counted_by_group_and_forgotten() -> None:
    graph = random_graph(12, 0.4, 1)
    belongs = np.arange(12, dtype=np.int32) % 4
    counts, seen = np.zeros(4, np.int32), np.empty(4, np.int32)
    nodes = np.array([0, 5, 7], np.int32)
    number = kernels.tally(nodes, graph.offsets, graph.targets, belongs, counts, seen, 0)
    expected = np.bincount(
        np.concatenate([belongs[graph.neighbours(int(node))] for node in nodes]), minlength=4
    )
    assert counts.tolist() == expected.tolist()
    assert sorted(seen[:number]) == np.flatnonzero(expected).tolist()
    kernels.forget(counts, seen, number)
    assert not counts.any()


@settings(max_examples=60)
@given(st.integers(4, 12), st.floats(0, 1), st.integers(0, 10**6), st.data())
def test_costs_of_swaps_and_moves_are_differences_of_full_counts(
    nodes: int, share: float, seed: int, data: st.DataObject
) -> None:
    graph = random_graph(nodes, share, seed)
    partition = partition_of(graph, nodes, data.draw(st.integers(2, nodes // 2)), seed)
    node = data.draw(st.integers(0, nodes - 1))
    friend = data.draw(
        st.sampled_from(np.flatnonzero(partition.group_of != partition.group_of[node]).tolist())
    )
    here, there = int(partition.group_of[node]), int(partition.group_of[friend])
    numbers = tallied(partition, here, there, node, friend)
    before = cost(graph, partition.group_of.tolist())
    known = (LOGS, partition.sizes, here, there)
    read = (partition.rows, partition.seen, numbers)
    swapped = partition.group_of.copy()
    swapped[[node, friend]] = there, here
    change = kernels.swap_cost(*known, graph.has(node, friend), *read)
    assert change == pytest.approx(cost(graph, swapped.tolist()) - before, abs=1e-9)
    moved = partition.group_of.copy()
    moved[node] = there
    assert kernels.move_cost(*known, *read) == pytest.approx(cost(graph, moved.tolist()) - before, abs=1e-9)


def test_moving_keeps_all_lists_in_step() -> None:
    partition = partition_of(random_graph(9, 0.5, 2), 2, 3, 1)
    node, there = int(partition.members[0, 0]), 2
    kernels.move(node, there, partition.group_of, partition.place_of, partition.members, partition.sizes)
    assert partition.group_of[node] == there and partition.sizes.tolist() == [2, 3, 4]
    assert consistent(partition)
    kernels.put(node, 2, 3, partition.group_of, partition.place_of, partition.members)
    assert consistent(partition)


def test_a_group_is_proposed_where_there_are_common_neighbours() -> None:
    star = Graph.of_edges(8, [0, 0, 0, 4, 4], [1, 2, 3, 5, 6])  # and node 7, who knows nobody
    belongs = np.arange(8, dtype=np.int32)
    chance = np.random.default_rng(1)
    rows = (star.offsets, star.targets, belongs, chance)
    assert {kernels.somewhere(1, *rows, 1.0) for _ in range(200)} == {0, 1, 2, 3}
    assert {kernels.somewhere(7, *rows, 1.0) for _ in range(200)} == set(range(8))
    assert {kernels.somewhere(1, *rows, 0.0) for _ in range(200)} == set(range(8))


@settings(max_examples=30)
@given(st.integers(6, 14), st.floats(0, 1), st.integers(0, 10**6), st.sampled_from([0.0, 1.0]))
def test_a_visit_tells_what_it_changed_and_keeps_groups_large(
    nodes: int, share: float, seed: int, heat: float
) -> None:
    graph = random_graph(nodes, share, seed)
    partition = partition_of(graph, 3, nodes // 3, seed)
    before = cost(graph, partition.group_of.tolist())
    chance = np.random.default_rng(seed)
    change = sum(partition.visit(heat, chance) for _ in range(3))
    after = cost(graph, partition.group_of.tolist())
    assert after - before == pytest.approx(change, abs=1e-8)
    assert heat > 0 or after <= before + 1e-9
    assert consistent(partition) and (partition.sizes >= 3).all() and (partition.sizes <= 5).all()


@settings(max_examples=30)
@given(st.integers(6, 14), st.floats(0, 1), st.integers(0, 10**6))
def test_groups_are_given_up_only_when_that_helps(nodes: int, share: float, seed: int) -> None:
    graph = random_graph(nodes, share, seed)
    partition = partition_of(graph, 3, nodes // 3, seed)
    before = cost(graph, partition.group_of.tolist())
    change = partition.do_without(np.random.default_rng(seed))
    assert cost(graph, partition.group_of.tolist()) - before == pytest.approx(change, abs=1e-8)
    assert change <= 0 and consistent(partition)
    assert (partition.sizes[partition.sizes > 0] >= 3).all() and (partition.sizes <= 5).all()


def test_two_triangles_need_only_two_groups() -> None:
    triangles = Graph.of_edges(6, [0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3])
    partition = Partition(triangles, 2, np.array([0, 0, 1, 1, 2, 2], np.int32))
    change = min(partition.do_without(np.random.default_rng(seed)) for seed in range(20))
    assert change < 0 and sorted(partition.sizes) == [0, 3, 3]
    assert cost(triangles, partition.group_of.tolist()) == 0
