"""k-neighbourhood anonymity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from graphs.drawn import graph_of, graphs
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_neighbourhood import KNeighbourhood

TRIANGLE_AND_PATH = graph_of(6, (0, 1), (1, 2), (2, 0), (3, 4), (4, 5))


def test_the_rarest_neighbourhood_decides() -> None:
    sight = ModelView(TRIANGLE_AND_PATH)
    # Everybody in the triangle has two friends who know each other; node 4 has two who do not.
    assert KNeighbourhood(2).level(sight) == 1
    assert KNeighbourhood(2).holds(sight).tolist() == [True, True, True, True, False, True]
    assert KNeighbourhood(1).holds(sight).all()


@given(graphs(10))
def test_it_promises_no_less_than_the_degree(graph: Graph) -> None:
    sight = ModelView(graph)
    assert KNeighbourhood(2).level(sight) <= KDegree(2).level(sight)


@given(graphs(10))
def test_new_numbers_for_the_nodes_change_nothing(graph: Graph) -> None:
    order = np.random.default_rng(graph.edges).permutation(graph.nodes)
    ends = graph.edge_list()
    moved = Graph.of_edges(graph.nodes, order[ends.sources], order[ends.targets])
    assert KNeighbourhood(2).level(ModelView(graph)) == KNeighbourhood(2).level(ModelView(moved))
    assert (
        KNeighbourhood(3).holds(ModelView(moved))[order] == KNeighbourhood(3).holds(ModelView(graph))
    ).all()


def test_kinds_count_unless_they_are_left_out() -> None:
    square = replace(
        graph_of(4, (0, 1), (1, 2), (2, 3), (3, 0)), kinds=pl.Series(["nurse", "nurse", "nurse", "cook"])
    )
    assert KNeighbourhood(2).level(ModelView(square)) == 1
    assert KNeighbourhood(2).holds(ModelView(square)).tolist() == [True, False, True, False]
    assert KNeighbourhood(2, labels=False).level(ModelView(square)) == 4


def test_a_release_that_keeps_direction_is_refused() -> None:
    # Without arrows all three look alike; with them one is followed by both others.
    triangle = Graph.of_edges(3, [0, 1, 1], [2, 2, 0], directed=True)
    with pytest.raises(BadParameter, match="keeps it; drop it first"):
        KNeighbourhood(3).level(ModelView(triangle))
    assert KNeighbourhood(3).level(ModelView(triangle.undirected())) == 3


def test_nobody_offers_nothing() -> None:
    assert KNeighbourhood(2).level(ModelView(graph_of(0))) == 0
    assert len(KNeighbourhood(2).holds(ModelView(graph_of(0)))) == 0


def test_k_below_one_and_groups_are_refused_in_a_sentence() -> None:
    with pytest.raises(BadParameter, match=r"k-neighbourhood\(k=0\) promises nothing; k is at least 1"):
        KNeighbourhood(0)
    groups = Grouping(np.array([3]), np.array([0], np.int32), np.array([0], np.int32), np.array([2]))
    with pytest.raises(BadParameter, match="speaks of people"):
        KNeighbourhood(2).level(ModelView(groups))
