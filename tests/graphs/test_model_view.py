"""What models look at."""

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import ModelView

PATH = Graph.of_edges(3, [0, 1], [1, 2], directed=True)
GROUPS = Grouping(np.array([2, 1]), np.array([0], np.int32), np.array([1], np.int32), np.array([2]))


def test_a_promise_about_people_sees_the_graph_without_direction() -> None:
    seen = ModelView(PATH).graph_for("k-degree")
    assert not seen.directed and seen.degrees.tolist() == [1, 2, 1]
    with pytest.raises(BadParameter, match="k-degree speaks of people, and this release has groups only"):
        ModelView(GROUPS).graph_for("k-degree")


def test_a_promise_about_groups_sees_the_groups() -> None:
    assert ModelView(GROUPS).grouping_for("k-grouping") is GROUPS
    with pytest.raises(BadParameter, match="k-grouping speaks of groups, and this release has people"):
        ModelView(PATH).grouping_for("k-grouping")


def test_nothing_is_guaranteed_unless_told() -> None:
    assert ModelView(PATH).guarantees == {} and ModelView(PATH, {"epsilon": 1.0}).guarantees == {
        "epsilon": 1.0
    }
