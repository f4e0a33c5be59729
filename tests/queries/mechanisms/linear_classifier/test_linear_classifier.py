"""The A/B classifier: the direction of the thesis's figure, and any number of dimensions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.learner import STEPS
from shoal.queries.mechanisms.linear_classifier.linear_classifier import LinearClassifier


def labelled(dimensions: int, number: int = 2000) -> Any:
    """Points of the cube, of A where the first coordinate is right of the middle."""
    points = np.random.default_rng(6).integers(0, STEPS + 1, (number, dimensions))
    return np.hstack([points, (points[:, :1] >= STEPS // 2).astype(np.int64)])


def right(rows: Any, direction: Any) -> float:
    products = (2 * rows[:, :-1] - STEPS) @ direction
    return float(((products >= 0) == (rows[:, -1] == 1)).mean())


@pytest.mark.parametrize(("dimensions", "least"), [(2, 0.97), (4, 0.85)])
def test_nearly_all_points_are_on_their_side(dimensions: int, least: float) -> None:
    rows = labelled(dimensions)
    found = LinearClassifier(Fraction(1)).release(rows)
    assert right(rows, found) > least and np.linalg.norm(found) == pytest.approx(1)


def test_a_direction_is_as_likely_as_its_score_says() -> None:
    """One point of A to the right: half of the circle is e^ε times as likely as the other."""
    made = LinearClassifier(Fraction(1))
    found = [made.release(np.array([[STEPS, STEPS // 2, 1]]))[0] >= -1e-9 for _ in range(1200)]
    assert np.mean(found) == pytest.approx(np.e / (1 + np.e), abs=0.06)


def test_weights_and_threshold_are_told_in_units_of_the_columns() -> None:
    told = LinearClassifier(Fraction(1)).told(np.array([1.0, 0.0]), [0, 0], [10, 4])
    assert told == {"weights": [[0.2, 0.0]], "threshold": 1.0}  # x of 5 and more is A


def test_no_points_are_no_error_and_one_column_is() -> None:
    assert len(LinearClassifier(Fraction(1)).release(np.zeros((0, 3), np.int64))) == 2
    with pytest.raises(BadParameter, match="needs 2 to 1,000 columns"):
        LinearClassifier(Fraction(1)).check(1)
    with pytest.raises(BadParameter, match="up to 1,048,576"):
        LinearClassifier(Fraction(1), rounds=101)
