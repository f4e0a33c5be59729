"""The figures that are made of private rows move by no more than they say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.methods.synthetic.privacy_account import STEPS
from shoal.tables.methods.synthetic.private_rows import PrivateRows

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 3)), max_size=8)


@given(ROWS, st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 3)), st.integers(0, 10**6))
def test_a_row_more_moves_a_count_by_one_and_a_miss_by_one_row(
    rows: list[tuple[int, ...]], more: tuple[int, ...], seed: int
) -> None:
    one = PrivateRows(np.array(rows, np.int64).reshape(-1, 3), (2, 3, 4))
    other = PrivateRows(np.array([*rows, more], np.int64), (2, 3, 4))
    expected = np.random.default_rng(seed).normal(2, 3, (2, 4))
    assert np.abs(one.counts((0, 2)) - other.counts((0, 2))).sum() == 1
    assert abs(one.miss((0, 2), expected) - other.miss((0, 2), expected)) <= STEPS


def test_counts_are_those_of_the_rows() -> None:
    rows = PrivateRows(np.array([[0, 1], [0, 1], [1, 2]]), (2, 3))
    assert rows.counts((0, 1)).tolist() == [[0, 2, 0], [0, 0, 1]]
    assert rows.counts((1,)).tolist() == [0, 2, 1]
    assert rows.miss((1,), np.array([1.0, 2.0, 0.5])) == 96
