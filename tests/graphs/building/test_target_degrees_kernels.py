"""The compiled loops behind target degrees against plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.graphs.building import target_degrees_kernels as kernels

DEGREES = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@given(DEGREES)
def test_a_counting_sort_is_a_stable_sort(degrees: list[int]) -> None:
    order = kernels.descending(np.array(degrees))
    assert order.tolist() == sorted(range(len(degrees)), key=lambda node: -degrees[node])


@given(DEGREES, st.data(), st.booleans())
def test_groups_start_where_they_cost_least(degrees: list[int], data: st.DataObject, median: bool) -> None:
    k = data.draw(st.integers(1, len(degrees)))
    values = sorted(degrees, reverse=True)
    starts = (kernels.centre_groups if median else kernels.raise_groups)(np.array(values), k)

    def cost(group: list[int]) -> int:
        goal = group[len(group) // 2] if median else group[0]
        return sum(abs(goal - value) for value in group)

    best = [0] + [10**9] * len(values)
    for end in range(k, len(values) + 1):
        best[end] = min(best[cut] + cost(values[cut:end]) for cut in range(end - k + 1))
        start = int(starts[end])
        if best[end] < 10**9:
            assert best[start] + cost(values[start:end]) == best[end]


@given(DEGREES, st.booleans())
def test_groups_are_brought_to_one_value(degrees: list[int], median: bool) -> None:
    values = np.array(sorted(degrees, reverse=True))
    middle = len(values) // 2
    starts = np.zeros(len(values) + 1, np.int64)
    starts[-1] = middle
    order = np.arange(len(values))
    targets = kernels.level_groups(order, values, starts, median)
    for group in (slice(0, middle), slice(middle, None)):
        if len(values[group]):
            goal = values[group][len(values[group]) // 2] if median else values[group][0]
            assert (targets[group] == goal).all()
