"""Differential privacy of graphs, as the thesis (7.4) and the papers it rests on have it."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.mechanisms.small import edge_neighbours, every_graph
from shoal.graphs.answering.constrained_inference import never_falling
from shoal.graphs.answering.degree_truncation import truncated_degrees
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.mechanisms.triangles.triangles import by_falling_degree, ladder

ONE = Fraction(1)


def test_the_thesis_gives_2k_for_the_distribution_where_it_takes_4k() -> None:
    # 7.4.2: "the sensitivity of it is 2k since adding or removing an edge changes the degree of two nodes".
    path, longer = Graph.of_edges(5, [0, 1, 3], [1, 2, 4]), Graph.of_edges(5, [0, 1, 3, 2], [1, 2, 4, 3])
    ring = Graph.of_edges(5, [0, 1, 3, 2, 4], [1, 2, 4, 3, 0])
    assert np.bincount(longer.degrees, minlength=5).tolist() == [0, 2, 3, 0, 0]
    # Two nodes of degree 1 become two of degree 2: two leave a cell, two enter another.
    moved = np.abs(np.bincount(longer.degrees, minlength=5) - np.bincount(ring.degrees, minlength=5)).sum()
    assert moved == 4 == DegreeHistogram(ONE).sensitivity
    sorted_moved = np.abs(np.sort(longer.degrees) - np.sort(ring.degrees)).sum()
    assert sorted_moved == 2 == DegreeSequence(ONE).sensitivity
    assert path.edges == 3 and DegreeHistogram(ONE, k=7).sensitivity == 28


@pytest.mark.parametrize("nodes", [2, 3, 4])
def test_k_edge_neighbours_move_k_times_as_much_and_never_more(nodes: int) -> None:
    graphs = every_graph(nodes)
    mechanism = DegreeHistogram(ONE)
    cells = np.array([mechanism.numbers(graph) for graph in graphs])
    sequences = np.sort([graph.degrees for graph in graphs], axis=1)
    for one in range(len(graphs)):
        k = np.array([(one ^ other).bit_count() for other in range(len(graphs))])
        assert (np.abs(cells - cells[one]).sum(axis=1) <= 4 * k).all()
        assert (np.abs(sequences - sequences[one]).sum(axis=1) <= 2 * k).all()
    assert sum(1 for _ in edge_neighbours(nodes)) == len(graphs) * nodes * (nodes - 1) // 4


def test_the_star_and_the_empty_graph_are_node_neighbours() -> None:
    # 7.4.1: n isolated nodes and the star on them; without truncation every degree moves.
    star = Graph.of_edges(101, np.zeros(100, np.int64), np.arange(1, 101))
    assert star.edges == 100
    for bound in (1, 5, 20):
        assert int(truncated_degrees(star, bound).sum()) == 2 * bound


def test_inference_of_hay_and_others() -> None:
    # Hay, Rastogi, Miklau, Suciu 2010, example 4: what is out of order is replaced by its mean.
    assert never_falling(np.array([9, 10, 14])).tolist() == [9, 10, 14]
    assert never_falling(np.array([9, 14, 10])).tolist() == [9, 12, 12]
    assert never_falling(np.array([14, 9, 10, 15])).tolist() == [11, 11, 11, 15]


def test_triangles_of_a_graph_where_no_edge_is_in_many() -> None:
    # One edge can be in n - 2 triangles of some graph; here two people share one acquaintance at most.
    ring = Graph.of_edges(1000, np.arange(1000), np.roll(np.arange(1000), 1))
    found = ladder(by_falling_degree(ring), 1000)
    assert found.most == 998 and found.reach(0) == 1 and found.reach(10) == 7
