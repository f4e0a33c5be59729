"""Suppressed rows as a cost of its own."""

import numpy as np

from shoal.tables.appraisal.suppressed_rows import SuppressedRows


def test_only_suppressed_rows_cost() -> None:
    ruler = SuppressedRows()
    assert [ruler.of_sizes(np.array(sizes), gone) for sizes, gone in (([5], 0), ([1, 1], 3))] == [0, 3]
    assert ruler.when_doomed(4, 10, 2) == 4 and ruler.at_least(np.array([1]), 5, 2) == 0
