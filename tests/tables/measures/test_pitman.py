"""Pitman's process against its own likelihood, added up term by term."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.appraisal.population_uniques import Sample
from shoal.tables.measures.pitman import Pitman, Process, _harmonics, most_likely


def likelihood(sizes: list[int], process: Process) -> float:
    """The logarithm of Pitman's sampling formula, without what does not depend on the process."""
    opened = sum(math.log(process.theta + i * process.alpha) for i in range(1, len(sizes)))
    arrived = sum(math.log(process.theta + i) for i in range(1, sum(sizes)))
    grown = sum(math.log(i - process.alpha) for size in sizes for i in range(1, size))
    return opened - arrived + grown


@settings(max_examples=40)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=25))
def test_no_process_nearby_is_more_likely(sizes: list[int]) -> None:
    found = most_likely(Sample.of(np.array(sizes), 10_000))
    if max(sizes) == 1:
        assert found is None
        return
    assert found is not None and 0 <= found.alpha < 1 and found.theta > -found.alpha
    best = likelihood(sizes, found)
    for alpha, factor in [(0.01, 1), (-0.01, 1), (0, 1.05), (0, 0.95), (0.02, 1.05), (-0.02, 0.95)]:
        other_alpha = found.alpha + alpha
        other = Process(other_alpha, (found.theta + found.alpha) * factor - other_alpha)
        if 0 <= other.alpha < 1:
            assert likelihood(sizes, other) <= best + 1e-9


def test_harmonic_sums_are_exact_for_few_and_for_many_terms() -> None:
    for start in (-0.99, 0.0, 0.3, 7.5, 1e6):
        terms = np.array([0, 1, 23, 24, 25, 1_000])
        plain = [math.fsum(1 / (start + i) for i in range(1, count + 1)) for count in terms]
        assert _harmonics(start, terms) == pytest.approx(plain, rel=1e-12)


def test_expected_uniques_are_those_of_the_urn() -> None:
    # One by one: a newcomer is alone with (θ+αu)/(θ+i); someone alone stays so unless joined.
    process, alone, people = Process(0.4, 2.0), 0.0, 30
    classes = 0.0
    for before in range(people):
        new = (process.theta + process.alpha * classes) / (process.theta + before) if before else 1.0
        joined = alone * (1 - process.alpha) / (process.theta + before) if before else 0.0
        alone, classes = alone + new - joined, classes + new
    assert process.uniques(people) == pytest.approx(alone)


def test_ewens_process_is_the_edge() -> None:
    assert Process(0.0, 5.0).uniques(1_000) == pytest.approx(1_000 * 5 / 1_004)
    found = Pitman().measure(Sample.of(np.array([1, *[5] * 20]), 10_000))
    assert found.uniques is not None and "edge" in found.reason


def test_nothing_repeats_so_nothing_is_told() -> None:
    found = Pitman().measure(Sample.of(np.ones(9, np.int64), 100))
    assert found.uniques is None and "alone in the release" in found.reason
