"""The number of edges: reach by brute force, noise, interval."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.mechanisms.small import every_graph, without
from shoal.core.errors import BadParameter
from shoal.graphs.answering.degree_truncation import truncated_degrees
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.edge_count import EdgeCount
from statistical.goodness import ALARM, fits, laplace_pmf

ONE = Fraction(1)


@pytest.mark.parametrize("nodes", [3, 4, 5])
def test_a_person_moves_the_truncated_number_by_the_bound_and_never_more(nodes: int) -> None:
    graphs = every_graph(nodes)
    for bound in range(1, nodes + 1):
        edges = np.array([int(truncated_degrees(graph, bound).sum()) // 2 for graph in graphs])
        numbers = np.arange(len(graphs))
        moved = [np.abs(edges - edges[numbers & without(nodes, person)]).max() for person in range(nodes)]
        assert max(moved) == min(bound, nodes - 1)
        assert EdgeCount(ONE, neighbours="node", bound=bound).sensitivity == bound


def test_noise_has_its_scale_and_the_interval_covers() -> None:
    graph = Graph.of_edges(500, np.repeat(0, 499), np.arange(1, 500))
    for mechanism, true, scale in (
        (EdgeCount(ONE, k=3), 499, 3),
        (EdgeCount(ONE, neighbours="node", bound=2, k=2), 2, 4),
    ):
        told = [mechanism.release(graph) for _ in range(1500)]
        noise = np.array([one.value - true for one in told])
        if true > 100:
            assert fits(noise, laplace_pmf(Fraction(scale), 200)) > ALARM
        else:  # cut at 0
            assert noise.min() == -true
        covered = np.mean([one.low <= true <= one.high for one in told])  # type: ignore[operator]
        assert covered > 0.95 - 0.035
        assert mechanism.scale == scale and told[0].error == pytest.approx(scale, rel=0.06)


def test_a_bound_without_people_is_refused() -> None:
    with pytest.raises(BadParameter, match=r"edge-count\(bound=3\) is for neighbours=node"):
        EdgeCount(ONE, bound=3)


def test_empty_graphs_have_about_no_edges() -> None:
    for nodes in (0, 1):
        assert EdgeCount(Fraction(1000)).release(Graph.of_edges(nodes, [], [])).value == 0
