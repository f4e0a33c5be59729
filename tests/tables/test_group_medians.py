"""Where groups of numbers are cut in two."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.group_medians import medians
from tables.search.test_grouping_kernels import median_twin


@given(st.integers(1, 1000), st.data())
def test_cuts_leave_both_sides_as_even_as_can_be(reach: int, data: st.DataObject) -> None:
    """On a long line a run of few is sorted, on a short one tallied: both against the twin."""
    entry = st.tuples(st.integers(0, reach), st.integers(1, 9))
    runs = data.draw(
        st.lists(
            st.lists(entry, min_size=2, max_size=9).filter(lambda run: len({p for p, _ in run}) > 1),
            min_size=1,
            max_size=5,
        )
    )
    flat = [pair for run in runs for pair in run]
    found = medians(
        np.array([place for place, _ in flat], np.int32),
        np.array([weight for _, weight in flat], np.int64),
        np.cumsum([0] + [len(run) for run in runs]),
        np.array([min(p for p, _ in run) for run in runs], np.int32),
        np.array([max(p for p, _ in run) for run in runs], np.int32),
    )
    assert found.tolist() == median_twin(runs)
