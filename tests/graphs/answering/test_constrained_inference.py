"""Inference on noisy numbers: nearest, whole, and never farther from a truth of the right shape."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.graphs.answering.constrained_inference import never_falling, never_rising, shares_of

Numbers = st.lists(st.integers(-20, 20), min_size=1, max_size=15)


@given(Numbers, Numbers)
def test_inference_never_brings_numbers_farther_from_a_truth_that_never_falls(
    noise: list[int], truth: list[int]
) -> None:
    true = np.sort(np.resize(np.array(truth), len(noise)))
    noisy = true + np.array(noise)
    found = never_falling(noisy)
    assert (np.diff(found) >= -1e-9).all()
    for power in (1, 2):
        assert (np.abs(found - true) ** power).sum() <= (np.abs(noisy - true) ** power).sum() + 1e-6
    assert np.abs(found - true).max() <= np.abs(noisy - true).max() + 1e-6


def test_never_rising_is_the_mirror_image() -> None:
    assert never_rising(np.array([3, 1, 2, 0])).tolist() == [3, 1.5, 1.5, 0]
    assert never_falling(np.zeros(0, np.int64)).tolist() == []


@given(Numbers, st.integers(0, 60))
def test_shares_are_whole_and_add_up_and_are_nearest_but_for_rounding(values: list[int], total: int) -> None:
    noisy = np.array(values)
    found = shares_of(noisy, total)
    assert found.min() >= 0 and found.sum() == total
    # Moving one person from a cell to another never helps by more than rounding may cost.
    distance = ((found - noisy) ** 2).sum()
    for here in np.flatnonzero(found):
        for there in range(len(found)):
            moved = found.copy()
            moved[here] -= 1
            moved[there] += 1
            assert ((moved - noisy) ** 2).sum() >= distance - 1e-9


def test_no_cells_have_no_shares() -> None:
    assert shares_of(np.zeros(0, np.int64), 0).tolist() == []
