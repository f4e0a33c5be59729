"""The compiled loops against plain Python."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.mechanisms.small import graph_of_matrix
from shoal.graphs.answering import private_answer_kernels as kernels
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.triangles.triangles import by_falling_degree


def pooled_twin(values: list[float]) -> list[float]:
    """Of all stretches around a place, the largest over starts of the smallest mean over ends."""
    number = len(values)
    return [
        max(min(sum(values[a : b + 1]) / (b - a + 1) for b in range(at, number)) for a in range(at + 1))
        for at in range(number)
    ]


@given(st.lists(st.integers(-9, 9), max_size=12))
def test_pooling_gives_the_nearest_numbers_that_never_fall(values: list[int]) -> None:
    found = kernels.pool_neighbours(np.array(values, np.float64))
    assert np.allclose(found, pooled_twin([float(value) for value in values]))


def truncated_twin(graph: Graph, bound: int) -> list[int]:
    degrees = [0] * graph.nodes
    for one, other in combinations(range(graph.nodes), 2):
        if graph.has(one, other) and degrees[one] < bound and degrees[other] < bound:
            degrees[one] += 1
            degrees[other] += 1
    return degrees


@pytest.mark.parametrize("seed", range(30))
def test_loops_over_edges_do_what_plain_python_does(seed: int) -> None:
    chance = np.random.default_rng(seed)
    nodes = int(chance.integers(0, 30))
    matrix = np.triu(chance.random((nodes, nodes)) < chance.random(), 1).astype(np.int64)
    matrix += matrix.T
    graph = graph_of_matrix(matrix)
    for bound in (1, 2, 5, 30):
        assert kernels.truncate_degrees(graph.offsets, graph.targets, bound).tolist() == truncated_twin(
            graph, bound
        )
    ranked = by_falling_degree(graph)
    assert kernels.triangles(ranked.offsets, ranked.targets) == np.trace(matrix @ matrix @ matrix) // 6
    squared = matrix @ matrix
    shared = max((int(squared[a, b]) for a, b in combinations(range(nodes), 2)), default=0)
    assert kernels.most_shared(ranked.offsets, ranked.targets) == shared
