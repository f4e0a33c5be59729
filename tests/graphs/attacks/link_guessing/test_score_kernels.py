"""The compiled loops give what plain Python gives."""

import numpy as np
from hypothesis import given, settings

from graphs.drawn import graphs
from shoal.graphs.attacks.link_guessing import score_kernels as kernels
from shoal.graphs.graph import Graph


@settings(max_examples=40, deadline=None)
@given(graphs(10))
def test_friends_in_common_are_counted_and_weighed(graph: Graph) -> None:
    one, other = (part.ravel().astype(np.int32) for part in np.indices((graph.nodes, graph.nodes)))
    weights = np.arange(graph.nodes, dtype=np.float64) + 0.5
    counts, sums = kernels.shared_friends(graph.offsets, graph.targets, one, other, weights)
    for a, b, count, total in zip(one.tolist(), other.tolist(), counts, sums, strict=True):
        both = set(graph.neighbours(a).tolist()) & set(graph.neighbours(b).tolist())
        assert count == len(both) and abs(total - sum(weights[node] for node in both)) < 1e-9


@settings(max_examples=40, deadline=None)
@given(graphs(10))
def test_sums_over_friends_are_the_matrix_times_columns(graph: Graph) -> None:
    matrix = np.array([[graph.has(a, b) for b in range(graph.nodes)] for a in range(graph.nodes)], float)
    columns = np.arange(2.0 * graph.nodes).reshape(-1, 2)
    assert np.allclose(kernels.sum_over_friends(graph.offsets, graph.targets, columns), matrix @ columns)
