"""A promise about people: only what a method guaranteed for people."""

from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.node_differential_privacy import NodeDifferentialPrivacy

GRAPH = Graph.of_edges(3, [0], [1])


def test_it_holds_for_what_was_guaranteed_and_no_less() -> None:
    sight = ModelView(GRAPH, {"node_epsilon": 0.5, "delta": 0.0, "nodes": 5})
    assert NodeDifferentialPrivacy(Fraction(1)).level(sight) == pytest.approx(0.1)
    assert NodeDifferentialPrivacy(Fraction(1, 10)).holds(sight).tolist() == [True] * 3
    assert not NodeDifferentialPrivacy(Fraction(9, 100)).holds(sight).any()


def test_a_promise_about_edges_is_never_one_about_people() -> None:
    for told in ({}, {"epsilon": 1e-6, "delta": 0.0, "edges": 100}, {"node_epsilon": 0.1, "nodes": 1}):
        model = NodeDifferentialPrivacy(Fraction(100))
        assert model.level(ModelView(GRAPH, told)) == np.inf
        assert not model.holds(ModelView(Graph.of_edges(0, [], []), told)).all()


def test_what_promises_nothing_is_refused() -> None:
    with pytest.raises(BadParameter, match="epsilon above 0, not -1"):
        NodeDifferentialPrivacy(Fraction(-1))
