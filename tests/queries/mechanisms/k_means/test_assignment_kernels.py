"""Sums of clusters against a twin in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.queries.mechanisms.k_means.assignment_kernels import cluster_sums

POINT = st.tuples(st.integers(0, 9), st.integers(0, 9))


@settings(deadline=None, max_examples=50)
@given(st.lists(POINT, max_size=12), st.lists(POINT, min_size=1, max_size=4))
def test_every_point_counts_once_at_its_nearest_centre(
    points: list[tuple[int, int]], centres: list[tuple[int, int]]
) -> None:
    out = np.zeros((len(centres), 3), np.int64)
    cluster_sums(np.array(points, np.int64).reshape(-1, 2), np.array(centres, np.int64), 5, out)
    wanted = np.zeros_like(out)
    for x, y in points:
        far = [(x - a) ** 2 + (y - b) ** 2 for a, b in centres]
        wanted[far.index(min(far))] += [1, x - 5, y - 5]
    assert out.tolist() == wanted.tolist()
