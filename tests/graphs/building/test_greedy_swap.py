"""GreedySwap: the same degrees, more of the original edges."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import drawn_graph, graphs, of_pairs, pairs_of
from shoal.graphs.building.construct_graph import construct_graph
from shoal.graphs.building.greedy_swap import greedy_swap
from shoal.graphs.graph import Graph


@given(graphs(), st.integers(0, 1000))
def test_degrees_stay_and_the_overlap_never_shrinks(graph: Graph, seed: int) -> None:
    chance = np.random.default_rng(seed)
    built = construct_graph(graph.degrees, "random", chance).graph
    assert built is not None
    made = greedy_swap(graph, built, chance, patience=20)
    assert made.degrees.tolist() == graph.degrees.tolist()
    assert len(pairs_of(made) & pairs_of(graph)) >= len(pairs_of(built) & pairs_of(graph))


def test_one_swap_brings_a_square_back() -> None:
    graph = of_pairs(4, [(0, 1), (2, 3)])
    crossed = of_pairs(4, [(0, 2), (1, 3)])
    assert pairs_of(greedy_swap(graph, crossed, np.random.default_rng(1), patience=50)) == pairs_of(graph)


def test_stopping_at_the_first_sample_without_a_swap_leaves_nearly_nothing_of_a_sparse_graph() -> None:
    graph = drawn_graph(2000, 3000, 1)
    built = construct_graph(graph.degrees, "random", np.random.default_rng(2)).graph
    assert built is not None

    def kept(patience: int) -> float:
        made = greedy_swap(graph, built, np.random.default_rng(3), patience=patience)
        return len(pairs_of(made) & pairs_of(graph)) / graph.edges

    assert kept(1) < 0.2
    assert kept(1000) > 0.5


def test_without_edges_there_is_nothing_to_swap() -> None:
    empty = of_pairs(3, [])
    assert greedy_swap(empty, empty, np.random.default_rng(1)).edges == 0
