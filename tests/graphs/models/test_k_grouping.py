"""k-sized grouping."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.k_grouping import KGrouping


def sight(*sizes: int) -> ModelView:
    empty = np.empty(0, np.int32)
    return ModelView(Grouping(np.array(sizes, np.int64), empty, empty, np.empty(0, np.int64)))


def test_the_smallest_group_counts() -> None:
    model = KGrouping(3)
    assert model.level(sight(5, 3, 4)) == 3
    assert model.holds(sight(5, 3, 4)).all()
    assert model.holds(sight(5, 2, 4)).tolist() == [True, False, True]


def test_no_groups_offer_nothing() -> None:
    assert KGrouping(3).level(sight()) == 0
    assert KGrouping(3).holds(sight()).tolist() == []


@pytest.mark.parametrize("k", [0, -1])
def test_a_k_below_one_is_refused(k: int) -> None:
    with pytest.raises(BadParameter, match="at least 1"):
        KGrouping(k)


def test_a_graph_of_people_is_refused() -> None:
    seen = ModelView(Graph.of_edges(2, [0], [1]))
    for ask in (KGrouping(1).level, KGrouping(1).holds):
        with pytest.raises(BadParameter, match="use method grouping"):
            ask(seen)


@given(st.lists(st.integers(1, 20), min_size=1), st.integers(1, 20))
def test_it_holds_exactly_up_to_its_level(sizes: list[int], k: int) -> None:
    assert KGrouping(k).holds(sight(*sizes)).all() == (KGrouping(k).level(sight(*sizes)) >= k)
