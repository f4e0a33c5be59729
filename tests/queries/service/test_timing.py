"""Answers leave at few times, whatever they took."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.service.timing import leaves_after

SECONDS = st.floats(0, 1000)


@given(SECONDS)
def test_an_answer_leaves_at_the_next_of_few_times(seconds: float) -> None:
    after = leaves_after(seconds, 0.1)
    assert after >= seconds
    assert any(after == pytest.approx(time) for time in (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000))
    assert after <= max(0.1, seconds * 10 / 3 * (1 + 1e-9))


@given(SECONDS, st.floats(0.01, 50))
def test_with_a_fixed_time_it_leaves_at_that_time_or_a_multiple(seconds: float, fixed: float) -> None:
    after = leaves_after(seconds, 0.1, fixed)
    assert after >= seconds or after == pytest.approx(seconds)
    assert after / fixed == pytest.approx(round(after / fixed))
    assert seconds > fixed or after == fixed
