"""Discernibility: every row pays for those it cannot be told from."""

import numpy as np

from shoal.tables.measures.discernibility import Discernibility


def test_by_hand() -> None:
    assert Discernibility().of_sizes(np.array([2, 3]), 0) == 13
    # Two suppressed rows pay for the whole table of seven each.
    assert Discernibility().of_sizes(np.array([2, 3]), 2) == 13 + 7 * 2


def test_bounds_never_exceed_what_can_come() -> None:
    sizes, ruler = np.array([1, 2, 3, 4]), Discernibility()
    for merged, suppressed in (([1, 2, 3, 4], 0), ([3, 3, 4], 0), ([10], 0), ([2, 3, 4], 1), ([9], 1)):
        assert ruler.at_least(sizes, 1, 1) <= ruler.of_sizes(np.array(merged), suppressed)
    assert ruler.when_doomed(1, 10, 3) <= ruler.of_sizes(np.array([3, 3, 3]), 1)


def test_a_million_rows_do_not_overflow() -> None:
    assert Discernibility().of_sizes(np.array([10_000_000]), 0) == 1e14
