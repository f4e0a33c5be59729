from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph
from shoal.graphs.matching.matching import Matching, Score, inverse, rate, rows_of


def test_right_wrong_and_nobody_are_told_apart() -> None:
    matching = Matching(np.array([2, 0, -1, 3], np.int32))
    places = np.array([2, 1, 0, 3])
    assert rate(matching, places, np.array([True, True, True, False])) == Score(1, 1, 3)


def test_the_inverse_of_the_inverse_is_the_matching() -> None:
    nodes = np.array([4, -1, 0, 2], np.int32)
    assert inverse(inverse(nodes, 5), 4).tolist() == nodes.tolist()


def test_rows_of_a_directed_graph_go_both_ways() -> None:
    out, ends, back, starts = rows_of(Graph.of_edges(3, [0, 0, 1], [1, 2, 2], directed=True))
    assert ends[out[0] : out[1]].tolist() == [1, 2]
    assert starts[back[2] : back[3]].tolist() == [0, 1]
