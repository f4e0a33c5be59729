"""Rows above a threshold, and the spread of the risk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.measures.records_at_risk import RecordsAtRisk
from shoal.tables.measures.risk import Exposure


def test_five_in_a_class_just_keep_a_fifth() -> None:
    exposure = Exposure(np.array([1, 4, 5, 6]), np.array([5, 4, 50, 1_000]))
    found = RecordsAtRisk(0.2).measure(exposure)
    assert (found.prosecutor.rows, found.journalist.rows) == (5, 4)
    assert found.prosecutor.share == 5 / 16


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=30), st.floats(0, 1))
def test_every_row_is_in_the_interval_of_its_risk(sizes: list[int], threshold: float) -> None:
    found = RecordsAtRisk(threshold).measure(Exposure.of_sample(np.array(sizes)))
    assert found.prosecutor.rows == sum(size for size in sizes if 1 / size > threshold)
    for interval in found.spread:
        assert interval.rows == sum(size for size in sizes if interval.above < 1 / size <= interval.up_to)
    assert sum(interval.rows for interval in found.spread) == sum(sizes)
    assert found.spread[-1].cumulative == 1
    ends = [interval.up_to for interval in found.spread]
    assert [interval.above for interval in found.spread] == pytest.approx([*ends[1:], 0])


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_risk(threshold: float) -> None:
    with pytest.raises(BadParameter, match="from 0 to 1"):
        RecordsAtRisk(threshold)
