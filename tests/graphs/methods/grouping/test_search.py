"""The search finds the best partition where all can be tried, and never a worse one than its start."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.methods.grouping.twins import cost, fewest, planted, random_graph
from shoal.core.progress import Progress
from shoal.graphs.graph import Graph
from shoal.graphs.methods.grouping.search import SearchResult, affordable_rounds, most_likely


def search(graph: Graph, k: int, rounds: int | None = None, seed: int = 1) -> SearchResult:
    return most_likely(graph, k, rounds, np.random.default_rng(seed))


def test_the_best_partition_is_found_for_all_graphs_of_four_nodes() -> None:
    pairs = list(combinations(range(4), 2))
    for number in range(2**6):
        edges = [pair for bit, pair in enumerate(pairs) if number >> bit & 1]
        graph = Graph.of_edges(4, [one for one, _ in edges], [other for _, other in edges])
        assert search(graph, 2, 20).log_worlds == pytest.approx(fewest(graph, 2), abs=1e-9)


@pytest.mark.parametrize(("nodes", "k"), [(6, 2), (7, 2), (8, 2), (7, 3), (9, 3), (9, 4)])
@pytest.mark.parametrize("share", [0.2, 0.5])
def test_the_best_partition_is_found_for_small_graphs(nodes: int, k: int, share: float) -> None:
    for seed in range(3):
        graph = random_graph(nodes, share, seed)
        found = search(graph, k)
        assert found.log_worlds == pytest.approx(cost(graph, found.group_of.tolist()), abs=1e-9)
        assert found.log_worlds == pytest.approx(fewest(graph, k), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_groups_that_leave_one_world_are_found(seed: int) -> None:
    assert search(planted(8, 5, seed), 5).log_worlds == 0


@settings(max_examples=30)
@given(st.integers(1, 25), st.floats(0, 1), st.integers(1, 6), st.integers(0, 3), st.integers(0, 10**6))
def test_every_partition_is_sound(nodes: int, share: float, k: int, rounds: int, seed: int) -> None:
    k, graph = min(k, nodes), random_graph(nodes, share, seed)
    found = search(graph, k, rounds, seed)
    sizes = np.bincount(found.group_of)
    assert len(found.group_of) == nodes and sizes.min() >= k
    assert found.log_worlds == pytest.approx(cost(graph, found.group_of.tolist()), abs=1e-8)
    assert found.log_worlds <= found.start_log_worlds + 1e-9
    assert search(graph, k, rounds, seed).group_of.tolist() == found.group_of.tolist()


def test_alone_or_all_together_there_is_nothing_to_search() -> None:
    graph = random_graph(10, 0.4, 1)
    assert search(graph, 1).group_of.tolist() == list(range(10))
    assert search(graph, 10).group_of.tolist() == [0] * 10
    assert search(Graph.of_edges(10, [], []), 3).log_worlds == 0


def test_progress_is_told() -> None:
    told: list[Progress] = []
    most_likely(random_graph(20, 0.3, 1), 3, 4, np.random.default_rng(1), told.append)
    assert told and told[-1].open == 0 and told[-1].done == len(told)
    assert all(step.best is not None for step in told)


def test_large_graphs_and_large_groups_get_fewer_rounds() -> None:
    small, large = random_graph(30, 0.2, 1), Graph.of_edges(300_000, [0], [1])
    assert affordable_rounds(small, 5) == 200
    assert affordable_rounds(large, 5) < 200
    assert affordable_rounds(large, 100_000) == 0
