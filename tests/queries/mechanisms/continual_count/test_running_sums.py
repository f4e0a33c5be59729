"""Running sums without noise are the sums, and the errors that are told are those that are made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from shoal.queries.mechanisms.continual_count.running_sums import (
    SCALE,
    FactorisedSum,
    NoisyElements,
    NoisyTree,
    RunningSum,
    coefficients,
    factorised_error,
    squared_reach,
    tree_error,
    tree_levels,
)


def nothing(number: int) -> NDArray[np.int64]:
    return np.zeros(number, np.int64)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_without_noise_every_way_tells_the_sum(values: list[int]) -> None:
    ways: list[RunningSum] = [
        NoisyElements(nothing),
        NoisyTree(nothing, tree_levels(len(values))),
        FactorisedSum(nothing, len(values)),
    ]
    for way in ways:
        assert [way.add(value) for value in values] == np.cumsum(values).tolist()


def test_an_element_is_in_one_stretch_of_each_level() -> None:
    # With noise of 1 on every stretch a prefix of t has as many as t has binary digits that are 1.
    tree = NoisyTree(lambda number: np.ones(number, np.int64), 4)
    assert [tree.add(0) for _ in range(15)] == [bin(time).count("1") for time in range(1, 16)]


def test_the_coefficients_are_central_binomials_and_their_square_is_the_prefix_sum() -> None:
    assert (coefficients(5) / SCALE).tolist() == pytest.approx([1, 1 / 2, 3 / 8, 5 / 16, 35 / 128])
    square = np.convolve(coefficients(50), coefficients(50))[:50] / SCALE**2
    assert square == pytest.approx(np.ones(50), abs=1e-4)
    assert squared_reach(2) == SCALE**2 + (SCALE // 2) ** 2


def test_told_errors_are_those_of_a_brute_force_twin() -> None:
    assert tree_error(15, 1.0) ** 2 == pytest.approx(np.mean([bin(time).count("1") for time in range(1, 16)]))
    matrix = np.array(
        [[_outer(8)[row - column] if row >= column else 0 for column in range(8)] for row in range(8)]
    )
    assert factorised_error(8, SCALE**2) ** 2 == pytest.approx((matrix**2).sum() / 8 * SCALE**2)


def _outer(horizon: int) -> NDArray[np.float64]:
    from shoal.queries.mechanisms.continual_count.running_sums import answers_of

    return answers_of(horizon)
