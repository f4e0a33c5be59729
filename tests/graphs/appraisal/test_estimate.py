"""A figure with its ends."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shoal.graphs.appraisal.estimate import Estimate, mean_estimate, number_text


def test_what_was_counted_is_a_plain_number() -> None:
    assert Estimate(0.25).to_json() == 0.25
    assert Estimate(7).to_json() == 7
    assert Estimate(0.25).exact


def test_what_was_estimated_carries_its_ends() -> None:
    found = Estimate(2.0, 1.5, 2.5)
    assert json.loads(json.dumps(found.to_json())) == {"value": 2.0, "low": 1.5, "high": 2.5}
    assert not found.exact
    assert found.times(2) == Estimate(4.0, 3.0, 5.0)
    assert Estimate(3.0).times(2) == Estimate(6.0)


def test_people_read_whole_numbers_to_the_last_digit() -> None:
    assert str(Estimate(3929852)) == "3,929,852"
    assert str(Estimate(0.123456789)) == "0.123457"
    assert str(Estimate(2.0, 1.51, 2.5)) == "2 (1.51 – 2.5)"
    assert number_text(-12345.0, 4) == "-12,345"


def test_the_interval_of_a_mean_is_students() -> None:
    # Six numbers with mean 10 and standard deviation 2; t(5) = 2.570582.
    values = np.array([8, 8, 10, 10, 12, 12.0])
    found = mean_estimate(float(values.sum()), float((values**2).sum()), 6)
    assert found.value == 10
    assert found.high == pytest.approx(10 + 2.570582 * values.std(ddof=1) / 6**0.5, abs=1e-6)
    assert found.low == pytest.approx(20 - (found.high or 0))


def test_whoever_draws_everybody_has_no_doubt_left() -> None:
    found = mean_estimate(30.0, 320.0, 3, 3)
    assert found.low == found.high == found.value == 10


def test_numbers_that_agree_give_no_negative_spread() -> None:
    found = mean_estimate(0.1 * 7, 0.1**2 * 7, 7)
    assert found.low == pytest.approx(0.1) and found.high == pytest.approx(0.1)
