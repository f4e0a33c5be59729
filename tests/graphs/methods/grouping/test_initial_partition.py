"""The partition that the search begins with."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.methods.grouping.twins import cost, planted, random_graph
from shoal.graphs.graph import Graph
from shoal.graphs.methods.grouping.initial_partition import any_groups, first_groups, order_by_degree


@settings(max_examples=40)
@given(st.integers(1, 30), st.floats(0, 1), st.integers(1, 8), st.integers(0, 10**6))
def test_groups_have_k_people_or_few_more(nodes: int, share: float, k: int, seed: int) -> None:
    k = min(k, nodes)
    belongs = first_groups(random_graph(nodes, share, seed), k)
    sizes = np.bincount(belongs)
    assert sizes.min() >= k and sizes.max() < 2 * k and sizes.max() - sizes.min() <= 1
    assert belongs.tolist() == first_groups(random_graph(nodes, share, seed), k).tolist()


@given(st.integers(1, 60), st.integers(1, 9), st.integers(0, 10**6))
def test_groups_at_random_have_k_to_twice_k_people(nodes: int, k: int, seed: int) -> None:
    k = min(k, nodes)
    belongs = any_groups(nodes, k, np.random.default_rng(seed))
    sizes = np.bincount(belongs)
    assert len(belongs) == nodes and sizes.min() >= k and sizes.max() < 2 * k


def test_the_start_is_better_than_chance() -> None:
    graph = planted(6, 4, 1)
    chance = np.random.default_rng(1)
    random = min(cost(graph, any_groups(24, 4, chance).tolist()) for _ in range(5))
    assert cost(graph, first_groups(graph, 4).tolist()) < random


def test_leaves_of_one_hub_stand_together() -> None:
    graph = Graph.of_edges(9, [0, 1, 0, 1, 0, 1, 0], range(2, 9))
    order = order_by_degree(graph).tolist()
    leaves = [node % 2 for node in order if node > 1]
    assert leaves == sorted(leaves) or leaves == sorted(leaves, reverse=True)
    assert order_by_degree(Graph.of_edges(3, [], [])).tolist() == [0, 1, 2]
