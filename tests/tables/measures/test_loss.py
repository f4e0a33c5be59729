"""Leaf-based loss."""

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.loss import Loss

HIERARCHY = Hierarchy.of_levels([["a", "b", "c", "never"], ["ab", "ab", "rest", "rest"]])


@pytest.mark.parametrize(("level", "loss"), [(0, 0.0), (1, 1 / 3), (2, 1.0)])
def test_leaves_that_do_not_occur_count_too(level: int, loss: float) -> None:
    counts = [np.array([2.0, 1.0, 1.0, 0.0])]
    assert Loss().measure(full_domain([HIERARCHY], [level], counts, [np.zeros(4)], np.array([4]))) == loss


def test_a_suppressed_row_has_lost_everything() -> None:
    kept, lost = [np.array([2.0, 0, 0, 0])], [np.array([0, 1.0, 1.0, 0])]
    assert Loss().measure(full_domain([HIERARCHY], [0], kept, lost, np.array([2]))) == 1 / 2


def test_a_column_of_one_value_can_lose_nothing_but_rows() -> None:
    one = Hierarchy.of_levels([["x"]])
    assert Loss().measure(full_domain([one], [1], [np.array([3.0])], [np.zeros(1)], np.array([3]))) == 0
    assert Loss().measure(full_domain([one], [1], [np.array([2.0])], [np.ones(1)], np.array([2]))) == 1 / 3


def test_a_column_that_matters_more_weighs_more() -> None:
    two = Hierarchy.of_levels([["x", "y"]])
    kept = [np.array([2.0, 1.0, 1.0, 0.0]), np.array([2.0, 2.0])]
    recoding = full_domain([HIERARCHY, two], [0, 1], kept, [np.zeros(4), np.zeros(2)], np.array([4]))
    assert Loss().measure(recoding) == Loss((1, 1)).measure(recoding) == 1 / 2
    assert Loss((3, 1)).measure(recoding) == 1 / 4 and Loss((0, 5)).measure(recoding) == 1
    with pytest.raises(BadParameter, match="3 weights for 2 quasi-identifiers"):
        Loss((1, 1, 1)).measure(recoding)


@pytest.mark.parametrize("weights", [(-1.0,), (float("inf"),), (float("nan"), 1.0), (0.0, 0.0), ("much",)])
def test_weights_are_numbers_from_0_on(weights: tuple[float, ...]) -> None:
    with pytest.raises(BadParameter, match="weight"):
        Loss(weights)
