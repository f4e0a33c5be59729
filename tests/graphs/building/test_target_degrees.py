"""The degree programme against the textbook recursion."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import rarest
from shoal.graphs.building.target_degrees import Change, anonymous_degrees


def cheapest(degrees: list[int], k: int, change: Change) -> int:
    """Equations 9.4 and 9.5 of the thesis, with every split tried."""
    falling = sorted(degrees, reverse=True)

    def cost(group: list[int]) -> int:
        goal = {"raise": group[0], "lower": group[-1], "both": sorted(group)[len(group) // 2]}[change]
        return sum(abs(goal - degree) for degree in group)

    @lru_cache
    def best(first: int) -> int:
        if first == 0:
            return 0
        return min((best(cut) + cost(falling[cut:first]) for cut in range(first - k + 1)), default=10**9)

    return best(len(falling))


@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=14),
    st.data(),
    st.sampled_from(["raise", "lower", "both"]),
)
def test_targets_are_anonymous_and_the_nearest_there_are(
    degrees: list[int], data: st.DataObject, change: Change
) -> None:
    k = data.draw(st.integers(1, len(degrees)))
    given = np.array(degrees, np.int64)
    targets = anonymous_degrees(given, k, change)
    assert rarest(targets) >= k
    assert np.abs(targets - given).sum() == cheapest(degrees, k, change)
    if change == "raise":
        assert (targets >= given).all()
    if change == "lower":
        assert (targets <= given).all()
    assert given.tolist() == degrees


@pytest.mark.parametrize("change", ["raise", "lower", "both"])
@pytest.mark.parametrize("k", [2, 17, 300])
def test_long_sequences_cost_what_the_recursion_with_short_groups_says(k: int, change: Change) -> None:
    chance = np.random.default_rng(k)
    degrees = np.minimum(chance.pareto(1.2, 1500) * 4, 800).astype(np.int64)
    falling = np.sort(degrees)[::-1]
    before = np.concatenate(([0], np.cumsum(falling)))
    best = np.full(len(falling) + 1, 10**12)
    best[0] = 0
    for i in range(k, len(falling) + 1):
        for t in range(max(0, i - 2 * k + 1), i - k + 1):  # claim 9.3: no group needs 2k nodes or more
            half = (i - t) // 2
            spent = {
                "raise": (i - t) * falling[t] - (before[i] - before[t]),
                "lower": (before[i] - before[t]) - (i - t) * falling[i - 1],
                "both": before[t + half] - before[t] - (before[i] - before[i - half]),
            }[change]
            best[i] = min(best[i], best[t] + spent)
    assert np.abs(anonymous_degrees(degrees, k, change) - degrees).sum() == best[-1]


def test_of_equal_degrees_the_lower_numbers_get_the_higher_target() -> None:
    assert anonymous_degrees(np.array([1, 1, 1, 2]), 2, "raise").tolist() == [2, 1, 1, 2]


def test_more_than_there_are_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="k=3 with 2 nodes"):
        anonymous_degrees(np.array([1, 1]), 3, "raise")
