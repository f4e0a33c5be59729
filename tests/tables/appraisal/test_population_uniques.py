"""A release as a sample."""

import json

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.population_uniques import Guess, Sample, bisect, estimate_uniques


def test_a_sample_counts_its_classes() -> None:
    sample = Sample.of(np.array([1, 3, 1, 2]), 70)
    assert (sample.rows, sample.number, sample.uniques, sample.with_size(2), sample.with_size(9)) == (
        7,
        4,
        2,
        1,
        0,
    )
    assert sample.fraction == 0.1


def test_a_population_smaller_than_its_sample_is_refused() -> None:
    with pytest.raises(BadParameter, match="population of 6 cannot hold the 7 rows"):
        Sample.of(np.array([7]), 6)


def test_what_is_known_is_not_estimated() -> None:
    def never(_: Sample) -> Guess:
        raise AssertionError

    whole = estimate_uniques(Sample.of(np.array([1, 1, 2]), 4), never)
    assert (whole.uniques, whole.rows, whole.share) == (2, 2, 0.5)
    none = estimate_uniques(Sample.of(np.array([2, 2]), 40), never)
    assert (none.uniques, none.rows, none.share) == (None, 0, 0) and "no row is alone" in none.reason


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0, 41.0])
def test_a_figure_that_cannot_be_is_no_figure(wrong: float) -> None:
    found = estimate_uniques(Sample.of(np.array([1, 3]), 40), lambda _: Guess(wrong))
    assert found.uniques is None and found.rows is None and "does not fit" in found.reason
    json.dumps(found.to_json(), allow_nan=False)


def test_no_more_rows_are_alone_in_the_population_than_in_the_release() -> None:
    found = estimate_uniques(Sample.of(np.array([1, 3]), 40), lambda _: Guess(30.0))
    assert (found.uniques, found.rows, found.share) == (30, 1, 0.25)


def test_bisection_finds_the_root_of_a_rising_and_of_a_falling_function() -> None:
    assert bisect(lambda x: x * x - 2, 0, 2) == pytest.approx(2**0.5, abs=1e-15)
    assert bisect(lambda x: 2 - x * x, 0, 2) == pytest.approx(2**0.5, abs=1e-15)
