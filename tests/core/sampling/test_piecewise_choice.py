"""Pieces of a long range: the same law as if every number were listed."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import exp, mpf  # type: ignore[import-untyped]
from scipy.stats import kstest

from shoal.core.errors import BadParameter
from shoal.core.sampling import piecewise_choice as module
from shoal.core.sampling.piecewise_choice import Piece, exact_pieces, truncated_geometric
from statistical.goodness import ALARM, fits, real

CASES = [
    ([Piece(0, 5, 0), Piece(5, 9, 3, 2), Piece(14, 6, 21, -3)], Fraction(1, 4)),
    ([Piece(-4, 7, 2, 1)], Fraction(1)),
    ([Piece(0, 3, -1, -1), Piece(3, 1, -3), Piece(4, 30, -3, 1)], Fraction(2, 7)),
    ([Piece(0, 10, 4), Piece(10, 20, 4)], Fraction(0)),
]


def law(pieces: list[Piece], rate: Fraction) -> dict[int, float]:
    scores = {p.start + i: p.score + p.slope * i for p in pieces for i in range(p.length)}
    weights = {x: exp(-real(rate) * mpf(score)) for x, score in scores.items()}
    total = sum(weights.values())
    return {x: float(weight / total) for x, weight in weights.items()}


@pytest.mark.parametrize(("pieces", "rate"), CASES)
def test_a_range_in_pieces_is_drawn_as_if_it_were_listed(pieces: list[Piece], rate: Fraction) -> None:
    draws = np.array([exact_pieces(pieces, rate) for _ in range(8_000)])
    assert fits(draws, law(pieces, rate)) > ALARM


@given(st.integers(1, 2**62), st.integers(-50, 50), st.integers(-3, 3), st.fractions(Fraction(1, 2**70), 3))
def test_the_weight_of_a_piece_lies_within_its_bounds(
    length: int, score: int, slope: int, rate: Fraction
) -> None:
    piece = Piece(0, length, score, slope)
    low, high = module._bounds(piece, piece.best - 2, rate, 512)
    near = module._weight(piece, piece.best - 2, rate)
    assert low <= high and (high - low) << 100 <= low
    assert abs(Fraction(near) / Fraction(low, 1 << 512) - 1) < Fraction(1, 2**41)


@pytest.mark.parametrize("number", [600, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_range_of_astronomic_length_is_drawn_at_once(number: int) -> None:
    tent = [Piece(0, 2**60, 2**60, -1), Piece(2**60, 2**60, 0, 1)]
    draws = np.array([exact_pieces(tent, Fraction(1, 2**50)) - 2**60 for _ in range(number)])
    assert kstest(draws / 2.0**50, "laplace").pvalue > ALARM
    flat = np.array([truncated_geometric(Fraction(0), 10**18) for _ in range(number)])
    assert kstest(flat / 1e18, "uniform").pvalue > ALARM


def test_odd_inputs() -> None:
    assert exact_pieces([Piece(9, 1, 2**70)], Fraction(5)) == 9
    assert exact_pieces([Piece(0, 2**62, 0, 1)], Fraction(10**20)) == 0
    for length in (0, -1, 2**62 + 1):
        with pytest.raises(BadParameter, match="from 1 to"):
            Piece(0, length, 0)
    with pytest.raises(BadParameter, match="nothing to choose"):
        exact_pieces([], Fraction(1))
