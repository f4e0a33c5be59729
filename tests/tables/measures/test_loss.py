"""Leaf-based loss."""

import numpy as np
import pytest

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.loss import Loss
from shoal.tables.recoding import full_domain

LADDER = Hierarchy.of_levels([["a", "b", "c", "never"], ["ab", "ab", "rest", "rest"]])


@pytest.mark.parametrize(("level", "loss"), [(0, 0.0), (1, 1 / 3), (2, 1.0)])
def test_leaves_that_do_not_occur_count_too(level: int, loss: float) -> None:
    counts = [np.array([2.0, 1.0, 1.0, 0.0])]
    assert Loss().measure(full_domain([LADDER], [level], counts, [np.zeros(4)], np.array([4]))) == loss


def test_a_suppressed_row_has_lost_everything() -> None:
    kept, lost = [np.array([2.0, 0, 0, 0])], [np.array([0, 1.0, 1.0, 0])]
    assert Loss().measure(full_domain([LADDER], [0], kept, lost, np.array([2]))) == 1 / 2


def test_a_column_of_one_value_can_lose_nothing_but_rows() -> None:
    one = Hierarchy.of_levels([["x"]])
    assert Loss().measure(full_domain([one], [1], [np.array([3.0])], [np.zeros(1)], np.array([3]))) == 0
    assert Loss().measure(full_domain([one], [1], [np.array([2.0])], [np.ones(1)], np.array([2]))) == 1 / 3
