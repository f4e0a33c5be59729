"""Continual counters: chosen by the horizon, as exact as they say, and ended there in one sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.continual_count.continual_count import ContinualCount

ONE, DELTA = Fraction(1), Fraction(1, 10**9)


def test_the_way_is_chosen_by_the_horizon() -> None:
    assert [ContinualCount(ONE, horizon).chosen for horizon in (16, 1024, 4096, 65536)] == [
        *("simple", "simple", "tree", "tree")
    ]
    assert ContinualCount(ONE, 1000, DELTA).chosen == "factorisation"
    assert ContinualCount(ONE, 10**6, DELTA).chosen == "tree"


def test_errors_are_those_of_the_literature() -> None:
    # T = 65,536, ε = 1: tree 68, running noisy sum 256.
    assert ContinualCount(ONE, 65536, way="tree").error == pytest.approx(68, abs=1)
    assert ContinualCount(ONE, 65536, way="simple").error == pytest.approx(256, abs=1)
    few = [ContinualCount(ONE, 1024, DELTA, way=way).error for way in ("factorisation", "tree")]
    assert few[0] < few[1] / 2


@pytest.mark.parametrize(
    "made", [ContinualCount(ONE, 200), ContinualCount(ONE, 200, way="tree"), ContinualCount(ONE, 200, DELTA)]
)
def test_answers_are_as_far_off_as_told(made: ContinualCount) -> None:
    values = np.tile([0, 1], 100)
    off = [made.release(values) - np.cumsum(values) for _ in range(40)]
    assert np.sqrt(np.mean(np.square(off))) == pytest.approx(made.error, rel=0.35)


def test_a_stream_beyond_its_horizon_ends_in_one_sentence_and_what_was_told_stays() -> None:
    counting = ContinualCount(Fraction(50), 3).begin()
    assert [counting.add(1) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(BadParameter, match="beyond its horizon of 3 elements"):
        counting.add(1)


def test_elements_are_bounded_and_what_says_nothing_counts_as_nothing() -> None:
    made = ContinualCount(Fraction(1000), 4, most=5)
    assert list(made.follow([-1, 3, 99, 0])) == [0, 3, 8, 8]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"horizon": 0}, "horizon as a whole number"),
        ({"way": "x"}, "there is auto"),
        ({"way": "factorisation"}, "needs a delta"),
        ({"delta": 1}, "delta below 1"),
        ({"horizon": 2**41}, "takes horizon up to"),
        ({"epsilon": Fraction(1, 2**60)}, "raise epsilon"),
    ],
)
def test_parameters_out_of_range_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        ContinualCount(**{"epsilon": ONE, "horizon": 10, **values})
