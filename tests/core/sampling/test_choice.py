"""Exact choice: the exact probabilities, doubles that never overrule digits, and little work."""

import os
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import exp, mpf  # type: ignore[import-untyped]

from shoal.core.errors import BadParameter
from shoal.core.sampling import choice
from shoal.core.sampling.choice import exact_choice, exact_flip
from shoal.core.sampling.exact_probabilities import Bounds, exp_bounds
from statistical.goodness import ALARM, fits, real
from work import calls_of

CASES = [
    ([0, 1, 2, 5], Fraction(1, 2)),
    ([7, 7, 7], Fraction(3)),
    ([-3, 0, 100, -3], Fraction(1, 10)),
    ([2**62, -(2**62), 2**62 - 1, 2**62], Fraction(1, 2**63)),
]


def law(scores: list[int], rate: Fraction) -> dict[int, float]:
    weights = [exp(-real(rate) * mpf(score - min(scores))) for score in scores]
    return {i: float(weight / sum(weights)) for i, weight in enumerate(weights)}


@pytest.mark.parametrize(("scores", "rate"), CASES)
def test_candidates_come_with_their_probabilities(scores: list[int], rate: Fraction) -> None:
    array = np.array(scores, np.int64)
    draws = np.array([exact_choice(array, rate) for _ in range(20_000)])
    assert fits(draws, law(scores, rate)) > ALARM


@pytest.mark.parametrize(("scores", "rate"), CASES)
def test_digits_alone_give_the_same_probabilities(scores: list[int], rate: Fraction) -> None:
    def exact(bits: int) -> list[Bounds]:
        return [exp_bounds(rate * (score - min(scores)), bits) for score in scores]

    # A weight that is no number leaves everything to the digits.
    nothing = np.full(len(scores), np.nan)
    draws = np.array([choice.choose(nothing, exact) for _ in range(10_000)])
    assert fits(draws, law(scores, rate)) > ALARM


@given(
    st.lists(st.integers(-(2**40), 2**40) | st.integers(-20, 20), min_size=1, max_size=12),
    st.fractions(0, 3) | st.fractions(0, Fraction(1, 2**38)),
    st.binary(min_size=64, max_size=64),
)
def test_doubles_never_overrule_digits(scores: list[int], rate: Fraction, tape: bytes) -> None:
    def exact(bits: int) -> list[Bounds]:
        return [exp_bounds(rate * (score - min(scores)), bits) for score in scores]

    def once(weights: object) -> int:
        left = list(tape)

        def played(number: int) -> bytes:
            taken, left[:] = bytes(left[:number]), left[number:]
            return taken.ljust(number, b"\x5a")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "urandom", played)
            if weights is None:
                return exact_choice(np.array(scores, np.int64), rate)
            return choice.choose(np.full(len(scores), np.nan), exact)

    assert once(None) == once("digits")


def test_a_point_on_the_edge_is_left_to_the_digits() -> None:
    # Two alike: the edge is one half, and this random number lies just below it for 40 digits.
    for last, wanted in ((b"\xff", 0), (b"\x00", 1)):
        head = (b"\x7f" + b"\xff" * 30) if wanted == 0 else (b"\x80" + b"\x00" * 30)
        left = list(head + last * 200)

        def played(number: int, left: list[int] = left) -> bytes:
            taken, left[:] = bytes(left[:number]), left[number:]
            return taken.ljust(number, b"\x00")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "urandom", played)
            assert exact_choice(np.array([4, 4]), Fraction(1)) == wanted


def test_odd_inputs() -> None:
    assert exact_choice(np.array([5]), Fraction(1)) == 0
    assert exact_choice(np.array([5, 6]), Fraction(10**30)) == 0
    assert exact_choice(np.array([-(2**63), 2**63 - 1]), Fraction(1)) == 0
    with pytest.raises(BadParameter, match="nothing to choose"):
        exact_choice(np.array([], np.int64), Fraction(1))
    with pytest.raises(BadParameter, match="prefers the worst"):
        exact_choice(np.array([1]), Fraction(-1))


def test_twenty_thousand_candidates_are_weighed_together() -> None:
    scores = np.abs(np.arange(20_000) - 9_000)
    work = [calls_of(lambda: exact_choice(scores, Fraction(1, 100))) for _ in range(9)]
    assert sorted(work)[4] < 500  # about 50, and more only where a point is left to the digits


def flip_law(scores: list[int], rate: Fraction) -> dict[int, float]:
    """Permute and flip, by going through all orders that matter: heads, and how many others are on heads."""
    heads = [float(exp(-real(rate) * mpf(score - min(scores)))) for score in scores]
    found = {}
    for place, chance in enumerate(heads):
        others = np.array([1.0])
        for other in heads[:place] + heads[place + 1 :]:
            others = np.convolve(others, [1 - other, other])
        found[place] = float(chance * (others / np.arange(1, len(others) + 1)).sum())
    return found


@pytest.mark.parametrize("close", [2.0**-39, 2.0])
@pytest.mark.parametrize(("scores", "rate"), CASES)
def test_flips_follow_their_law_by_doubles_and_by_digits(
    scores: list[int], rate: Fraction, close: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "_CLOSE", close)  # with 2 every coin is decided by its digits
    array = np.array(scores, np.int64)
    draws = np.array([exact_flip(array, rate) for _ in range(6_000)])
    assert fits(draws, flip_law(scores, rate)) > ALARM


@given(
    st.lists(st.integers(-6, 6), min_size=2, max_size=6),
    st.lists(st.integers(-1, 1), min_size=6, max_size=6),
    st.sampled_from(["1/10", "1", "3"]),
)
def test_permute_and_flip_keeps_epsilon(scores: list[int], moves: list[int], epsilon: str) -> None:
    """McKenna & Sheldon 2020: a rate of ε / 2 for scores that move by 1."""
    rate = Fraction(epsilon) / 2
    one = flip_law(scores, rate)
    other = flip_law([score + move for score, move in zip(scores, moves, strict=False)], rate)
    assert max(abs(np.log(one[place] / other[place])) for place in one) <= float(Fraction(epsilon)) + 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6), st.sampled_from(["1/10", "1", "3"]))
def test_a_flip_is_never_farther_off_than_the_exponential_mechanism(scores: list[int], rate: str) -> None:
    one, other = flip_law(scores, Fraction(rate)), law(scores, Fraction(rate))
    assert sum(p * scores[i] for i, p in one.items()) <= sum(p * scores[i] for i, p in other.items()) + 1e-9


def test_a_coin_that_a_word_does_not_decide_takes_more() -> None:
    low = exp_bounds(Fraction(1), 64).low  # the word in which exp(-1) lies
    fallen = {choice._heads(low, Fraction(1)) for _ in range(200)}
    assert fallen == {True, False}
