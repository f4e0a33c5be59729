"""Classes of people who look alike."""

from __future__ import annotations

import numpy as np

from shoal.graphs.appraisal.anonymity import Anonymity


def test_classes_are_counted_by_their_sizes() -> None:
    found = Anonymity.of(np.array([7] * 5 + [3] * 4 + [1]))
    assert found == Anonymity(level=1, classes=3, alone=0.1, few=0.5)
    assert found.to_json() == {"level": 1, "classes": 3, "alone": 0.1, "below_five": 0.5}
    assert found.to_row() == ["1", "3", "10.00%", "50.00%"]


def test_nobody_is_in_no_class() -> None:
    assert Anonymity.of(np.zeros(0, np.int64)) == Anonymity(0, 0, 0.0, 0.0)
    assert Anonymity.of_sizes(np.zeros(0, np.int64)) == Anonymity(0, 0, 0.0, 0.0)
