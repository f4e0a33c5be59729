"""Precision: how far up the hierarchy values went."""

import numpy as np
import pytest

from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.precision import Precision

TALL = Hierarchy.of_levels([["a", "b"], ["a", "b"], ["a", "b"], ["a", "b"]])
FLAT = Hierarchy.of_levels([["x", "y"]])


def test_the_mean_over_cells_of_height_by_height() -> None:
    counts = [np.array([1.0, 1.0]), np.array([1.0, 1.0])]
    nothing = [np.zeros(2), np.zeros(2)]
    found = [
        Precision().measure(full_domain([TALL, FLAT], levels, counts, nothing, np.array([2])))
        for levels in ([0, 0], [1, 0], [2, 1], [4, 1])
    ]
    assert found == pytest.approx([1, 1 - 1 / 8, 1 - (2 / 4 + 1) / 2, 0])


def test_a_suppressed_row_stands_at_the_top_of_every_hierarchy() -> None:
    kept, lost = [np.array([1.0, 0]), np.array([1.0, 0])], [np.array([0, 1.0]), np.array([0, 1.0])]
    assert Precision().measure(full_domain([TALL, FLAT], [0, 0], kept, lost, np.array([1]))) == 0.5
