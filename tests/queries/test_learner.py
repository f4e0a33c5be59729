"""What learners share."""

from __future__ import annotations

import numpy as np

from shoal import catalog
from shoal.queries.learner import Learner, in_units


def test_shares_of_a_range_are_numbers_within_its_bounds() -> None:
    assert in_units(np.array([[0.0, 0.5], [1.0, 0.25]]), [0, -1], [10, 1]).tolist() == [[0, 0], [10, -0.5]]


def test_some_mechanisms_are_learners() -> None:
    found = {
        name for name in catalog.names("mechanism") if issubclass(catalog.find("mechanism", name), Learner)
    }
    assert {"k-means", "linear-classifier"} <= found
