"""The median mechanism: hard questions are few, and the rest are answered by what is left."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.answering.range_counts import range_counts
from shoal.queries.mechanisms.median_mechanism import MedianMechanism, _databases


def test_all_histograms_are_listed_once() -> None:
    found = _databases(3, 4)
    assert len(found) == 15 == len(np.unique(found, axis=0)) and (found.sum(axis=1) == 4).all()
    assert _databases(1, 4).tolist() == [[4]]


def test_with_much_to_spend_all_ranges_are_within_the_tolerance() -> None:
    counts = np.array([10, 0, 60, 10])
    told = MedianMechanism(Fraction(10_000), tolerance=11, hard=8).release(counts)
    assert np.abs(told - range_counts(4) @ counts).max() <= 12


def test_no_rows_are_no_error_and_too_large_domains_are() -> None:
    assert len(MedianMechanism(Fraction(1), tolerance=2).release(np.zeros(3, np.int64))) == 6
    with pytest.raises(BadParameter, match="lower grain, coarsen the domain, or use mwem"):
        MedianMechanism(Fraction(1), tolerance=2).release(np.zeros(40, np.int64))
    with pytest.raises(BadParameter, match="tolerance"):
        MedianMechanism(Fraction(1), tolerance=0)
