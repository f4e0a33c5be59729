"""Scores of directions against a twin that asks every point about every direction."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.queries.mechanisms.linear_classifier.direction_kernels import candidate_scores, circle_scores

ROWS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 1)), max_size=8)


@settings(deadline=None, max_examples=60)
@given(ROWS)
def test_all_directions_of_a_circle_are_scored_in_one_pass(rows: list[tuple[int, int, int]]) -> None:
    given = np.array(rows, np.int64).reshape(-1, 3)
    steps = 32
    out = np.zeros(steps, np.int64)
    circle_scores(np.ascontiguousarray(given[:, :2]), np.ascontiguousarray(given[:, 2]), steps, out)
    for place in range(steps):
        right = 0
        for x, y, label in rows:
            own = math.floor(math.atan2(y, x) / (2 * math.pi) * steps + 0.5) % steps
            apart = min((place - own) % steps, (own - place) % steps)
            right += (apart <= steps // 4 or (x, y) == (0, 0)) == bool(label)
        assert out[place] == right


@settings(deadline=None, max_examples=40)
@given(ROWS, st.tuples(st.integers(-5, 5), st.integers(-5, 5)))
def test_one_point_more_moves_each_score_by_one_or_not_at_all(
    rows: list[tuple[int, int, int]], direction: tuple[int, int]
) -> None:
    given = np.array(rows, np.int64).reshape(-1, 3)
    out = np.zeros(1, np.int64)
    candidate_scores(
        np.ascontiguousarray(given[:, :2]), np.ascontiguousarray(given[:, 2]), np.array([direction]), out
    )
    right = [(x * direction[0] + y * direction[1] >= 0) == bool(label) for x, y, label in rows]
    assert out[0] == sum(right)
