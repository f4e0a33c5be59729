"""From counts back to people."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.queries.attacks.reconstruction.decoders import least_squares, linear_programme


@pytest.mark.parametrize("decode", [least_squares, linear_programme])
def test_exact_counts_of_enough_groups_give_everybody_back(decode: object) -> None:
    chance = np.random.default_rng(3)
    truth = chance.integers(0, 2, 40).astype(float)
    groups = (chance.random((160, 40)) < 0.5).astype(float)
    assert np.array_equal(np.rint(decode(groups, groups @ truth)), truth)  # type: ignore[operator]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_the_linear_programme_is_no_farther_off_than_any_yes_and_no(seed: int) -> None:
    chance = np.random.default_rng(seed)
    groups = (chance.random((6, 4)) < 0.5).astype(float)
    answers = groups @ chance.integers(0, 2, 4) + chance.laplace(size=6)
    best = min(np.abs(groups @ world - answers).sum() for world in itertools.product((0, 1), repeat=4))
    found = linear_programme(groups, answers)
    assert (
        np.abs(groups @ found - answers).sum() <= best + 1e-6
        and ((found >= -1e-9) & (found <= 1 + 1e-9)).all()
    )


def test_the_linear_programme_bears_wild_answers() -> None:
    chance = np.random.default_rng(3)
    truth = chance.integers(0, 2, 30).astype(float)
    groups = (chance.random((180, 30)) < 0.5).astype(float)
    answers = groups @ truth
    answers[:20] += 1000  # a ninth of them
    assert np.array_equal(np.rint(linear_programme(groups, answers)), truth)
