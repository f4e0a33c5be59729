"""No number whatever makes a mechanism raise, or shows through its noise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.draw_from_mechanism import draw
from shoal.queries.mechanisms.exponential import Exponential
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.histogram import Histogram
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.noisy_max import NoisyMax
from shoal.queries.mechanisms.partition_selection import Selection
from shoal.queries.mechanisms.quantile import Quantile
from shoal.queries.mechanisms.randomised_response import RandomisedResponse
from shoal.queries.mechanisms.sparse_vector import SparseVector

ONE = Fraction(1)
MECHANISMS: list[Any] = [
    Laplace(ONE),
    Gaussian(ONE),
    Histogram(ONE),
    Exponential(ONE),
    NoisyMax(ONE),
    Quantile(ONE),
    Quantile(ONE, Fraction(999_999, 1_000_000)),
    Quantile(ONE, Fraction(0)),
    Selection(ONE, Fraction(1, 10**6)),
    SparseVector(ONE),
    RandomisedResponse(),
    RandomisedResponse(Fraction(1, 2), 5),
]
NUMBERS = [0, -1, 2**31, 2**40, 2**62, 2**63 - 1, -(2**63), 2**63, 2**64, -(2**80), 10**300]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: repr(mechanism))
def test_every_mechanism_takes_every_whole_number(mechanism: Any) -> None:
    for first in NUMBERS:
        for second in NUMBERS:
            # Numpy chooses the type by the numbers: 64 bits with or without a sign, or objects beyond.
            given = [first, second]
            kinds = {type(mechanism.release(np.array(part, object))) for part in (given, [0, 0])}
            assert len(kinds) == 1
            if all(-(2**63) <= number < 2**63 for number in given):
                mechanism.release(np.array(given, np.int64))
            if all(0 <= number < 2**64 for number in given):
                mechanism.release(np.array(given, np.uint64))


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: repr(mechanism))
@pytest.mark.parametrize("numbers", [[0.37, 1.0], [1.0, 2.0], [math.nan, 1.0], ["1", "2"], [None, 1]])
def test_numbers_that_are_not_whole_are_refused_by_their_type_and_not_by_their_value(
    mechanism: Any, numbers: list[Any]
) -> None:
    """The fraction of a number would otherwise stand beside its noise, to the last digit."""
    with pytest.raises(BadParameter, match="whole numbers") as refused:
        mechanism.release(np.array(numbers))
    assert not any(str(number) in str(refused.value) for number in numbers)


@pytest.mark.parametrize("mechanism", [Laplace(ONE), Histogram(ONE), Selection(ONE, Fraction(1, 10**6))])
def test_no_groups_at_all_are_an_answer(mechanism: Any) -> None:
    assert len(mechanism.release(np.array([], np.int64))) == 0 == len(mechanism.release(np.array([])))


@pytest.mark.parametrize("mechanism", [Laplace(ONE), Gaussian(ONE)])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1.7976931348623157e308, 5e-324, -0.0])
def test_every_double_gets_noise(mechanism: Any, value: float) -> None:
    assert math.isfinite(mechanism.release_real(value))


@pytest.mark.parametrize("value", NUMBERS)
def test_a_run_of_the_sparse_vector_takes_every_whole_number(value: int) -> None:
    assert SparseVector(ONE).start().above(value) in (True, False)


def test_large_numbers_stay_apart_as_far_as_they_were_and_no_farther() -> None:
    """The greatest is the greatest, whatever the type: unsigned numbers used to turn negative."""
    given: Any = np.array([5, 2**63 + 9], np.uint64)
    assert Exponential(Fraction(900)).release(given) == 1 == NoisyMax(Fraction(900)).release(given)
    many = np.array([2**61, 2**61, 2**61, 2**61], np.int64)  # more rows than 64 bits hold
    assert Quantile(Fraction(900), Fraction(3, 4)).release(many).value in (2, 3)
    assert Quantile(Fraction(900), Fraction(1, 4)).release(many).value in (0, 1)


def test_an_answer_that_is_on_no_list_is_drawn_evenly() -> None:
    strange = np.array([-1, 7, 2**40] * 10_000, np.int64)
    said = np.bincount(RandomisedResponse(Fraction(9, 10), 3).release(strange), minlength=3)
    assert len(said) == 3 and (abs(said - 10_000) < 500).all()


@pytest.mark.parametrize("values", ["9" * 30, "-" + "9" * 300, [2**70, 1]])
def test_one_draw_by_hand_does_not_refuse_a_number_for_its_size(values: Any) -> None:
    assert draw("laplace(epsilon=1)", values).released is not None
