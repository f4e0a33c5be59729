"""k-degree anonymity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from graphs.drawn import graph_of, graphs, rarest
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.k_degree import KDegree


@given(graphs())
def test_its_level_is_how_many_share_the_rarest_degree(graph: Graph) -> None:
    level = int(KDegree(1).level(ModelView(graph)))
    assert level == rarest(graph.degrees)
    assert KDegree(level).holds(ModelView(graph)).all()
    assert not KDegree(level + 1).holds(ModelView(graph)).all()


def test_it_says_of_every_node_whether_enough_are_like_it() -> None:
    star = graph_of(4, (0, 1), (0, 2), (0, 3))
    assert KDegree(2).holds(ModelView(star)).tolist() == [False, True, True, True]


def test_edges_in_and_out_count_where_a_release_keeps_direction() -> None:
    ring = Graph.of_edges(3, [0, 1, 2], [1, 2, 0], directed=True)
    assert KDegree(3).holds(ModelView(ring)).all()
    ranked = Graph.of_edges(3, [0, 0, 1], [1, 2, 2], directed=True)  # everybody has two friends
    assert KDegree(3).holds(ModelView(ranked.undirected())).all()
    assert KDegree(2).level(ModelView(ranked)) == 1 and not KDegree(2).holds(ModelView(ranked)).any()
    mutual = Graph.of_edges(6, [0, 1, 2, 3, 4], [1, 0, 3, 4, 2], directed=True)
    # 0 and 1 have one friend who answers, 2, 3 and 4 have two: edges in and out alone do not tell.
    assert KDegree(2).holds(ModelView(mutual)).tolist() == [True] * 5 + [False]


def test_nobody_offers_nothing() -> None:
    assert KDegree(2).level(ModelView(graph_of(0))) == 0


def test_groups_have_no_degrees() -> None:
    groups = Grouping(np.array([3]), np.array([0], np.int32), np.array([0], np.int32), np.array([2]))
    with pytest.raises(BadParameter, match="k-degree speaks of people"):
        KDegree(2).level(ModelView(groups))


def test_a_k_below_one_is_refused() -> None:
    with pytest.raises(BadParameter, match="k is at least 1"):
        KDegree(0)
