"""Whole numbers of any size fit, in their order; other types are refused."""

from typing import Any

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.core.sampling.integer_values import integers


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([3, -4], [3, -4]),
        ([True, False], [1, 0]),
        ([2**63, 7], [2**63 - 1, 7]),
        ([10**40, -(10**40), 5], [2**63 - 1, -(2**63), 5]),
        (np.array([200], np.uint8), [200]),
        ([[1, 2], [3, 2**90]], [[1, 2], [3, 2**63 - 1]]),
        ([], []),
    ],
)
def test_what_does_not_fit_counts_as_the_nearest_that_does(given: Any, found: Any) -> None:
    made = integers(given)
    assert made.dtype == np.int64 and made.tolist() == found


def test_bounds_hold_for_every_type() -> None:
    for kind in (np.int64, np.uint64, object):
        assert integers(np.array([0, 4, 9], kind), 2, 5).tolist() == [2, 4, 5]
        assert integers(np.array([0, 4, 9], kind), -3, -1).tolist() == [-1, -1, -1]


@pytest.mark.parametrize("given", [[1.0], [1.5], [float("nan")], ["1"], [None], [1j], [2**70, 0.5]])
def test_another_type_is_refused_without_a_word_about_the_numbers(given: Any) -> None:
    with pytest.raises(BadParameter, match="these are of another type"):
        integers(given)


def test_the_numbers_that_were_given_stay_as_they_are() -> None:
    given = np.array([1, 2**62])
    integers(given, 0, 5)
    assert given.tolist() == [1, 2**62]
