"""Average class size in units of k."""

import math

import numpy as np

from shoal.tables.measures.average_class_size import AverageClassSize


def test_by_hand() -> None:
    assert AverageClassSize().of_sizes(np.array([2, 4]), 0) == 3
    assert AverageClassSize(3).of_sizes(np.array([2, 4]), 0) == 1
    assert AverageClassSize(3).of_sizes(np.array([2, 4]), 5) == 1  # released rows only
    assert AverageClassSize().of_sizes(np.array([], np.int64), 5) == math.inf


def test_the_bound_never_exceeds_what_can_come() -> None:
    ruler, sizes = AverageClassSize(2), np.array([1, 1, 1, 2, 3])
    for merged in ([2, 3, 3], [3, 2, 3], [8], [2, 6]):
        assert ruler.at_least(sizes, 0, 2) <= ruler.of_sizes(np.array(merged), 0)
