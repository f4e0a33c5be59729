"""Mechanisms are audited by their names, on the inputs that they name."""

from __future__ import annotations

import math

import pytest

import shoal
from shoal import catalog
from shoal.queries.auditing.mechanism_draws import mechanism_side

SURE = 1 - 1e-9


@pytest.mark.parametrize("name", ["laplace", "randomised-response", "histogram", "gaussian"])
def test_a_mechanism_is_audited_by_its_name_and_its_price(name: str) -> None:
    found = shoal.audit(name, epsilon=1, samples=20_000, confidence=SURE)
    assert found.passed and found.claimed == 1
    assert found.lower_bound > 0.15
    assert (found.delta > 0) == (name == "gaussian")


def test_the_bound_of_many_draws_is_close_to_the_promise() -> None:
    found = shoal.audit("laplace", epsilon=1, samples=400_000, confidence=SURE)
    assert 0.9 < found.lower_bound <= 1 and math.isclose(found.claimed, 1)


def test_arrays_in_an_object_are_drawn_too() -> None:
    made = catalog.make("mechanism", "k-means(epsilon=1,k=2)")
    assert mechanism_side(made, made.audit_pair[1])(3).shape == (3, 4)  # two centres and two sizes
