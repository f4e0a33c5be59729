"""A promise about edges: only what a method guaranteed, scaled to the number of edges."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.edge_differential_privacy import EdgeDifferentialPrivacy, alike

GRAPH = Graph.of_edges(4, [0, 1], [1, 2])
EDGE: Mapping[str, float] = {"epsilon": 0.3, "delta": 0.0, "edges": 3}
NODE: Mapping[str, float] = {"node_epsilon": 0.3, "delta": 0.0, "nodes": 1}


def test_epsilon_grows_with_the_edges() -> None:
    sight = ModelView(GRAPH, EDGE)
    for k, level in ((1, 0.1), (3, 0.3), (7, 0.7)):
        assert EdgeDifferentialPrivacy(Fraction(1), k).level(sight) == pytest.approx(level)
    assert EdgeDifferentialPrivacy(Fraction(1, 10)).holds(sight).tolist() == [True] * 4
    assert not EdgeDifferentialPrivacy(Fraction(99, 1000)).holds(sight).any()
    assert not EdgeDifferentialPrivacy(Fraction(3, 10), 4).holds(sight).any()


def test_a_promise_about_people_is_one_about_edges_at_twice_the_cost() -> None:
    sight = ModelView(GRAPH, NODE)
    assert EdgeDifferentialPrivacy(Fraction(1)).level(sight) == pytest.approx(0.6)
    assert EdgeDifferentialPrivacy(Fraction(1), 2).level(sight) == pytest.approx(1.2)
    assert not EdgeDifferentialPrivacy(Fraction(1, 2)).holds(sight).any()


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"epsilon": 0.1},
        {"epsilon": 0.1, "edges": 1},
        {**EDGE, "delta": 1e-9},
        {"epsilon": 0.1, "delta": 0},
    ],
)
def test_without_a_whole_guarantee_it_does_not_hold(told: Mapping[str, float]) -> None:
    model = EdgeDifferentialPrivacy(Fraction(100))
    for released in (GRAPH, Graph.of_edges(0, [], [])):
        assert model.level(ModelView(released, told)) == np.inf
        assert not model.holds(ModelView(released, told)).all(), "nobody is no proof"


def test_groups_get_one_answer_each() -> None:
    empty = np.zeros(0, np.int32)
    grouping = Grouping(np.array([2, 3]), empty, empty, np.zeros(0, np.int64))
    assert alike(ModelView(grouping), True).tolist() == [True, True]


def test_what_promises_nothing_is_refused() -> None:
    with pytest.raises(BadParameter, match="epsilon above 0, not 0"):
        EdgeDifferentialPrivacy(Fraction(0))
    with pytest.raises(BadParameter, match="k as a whole number of at least 1"):
        EdgeDifferentialPrivacy(Fraction(1), 0)
