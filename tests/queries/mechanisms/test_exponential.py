"""The exponential mechanism: exact probabilities, privacy by enumeration."""

import math
from fractions import Fraction
from itertools import product

import numpy as np

from shoal.core.sampling.piecewise_choice import Piece
from shoal.queries.mechanisms.exponential import Exponential
from statistical.goodness import ALARM, fits


def law(mechanism: Exponential, scores: list[int]) -> dict[int, float]:
    weights = [math.exp(float(mechanism.rate) * (score - max(scores))) for score in scores]
    return {i: weight / sum(weights) for i, weight in enumerate(weights)}


def test_good_candidates_are_likelier_by_the_formula() -> None:
    mechanism = Exponential(Fraction(1), Fraction(2))
    scores = [10, 12, 3, 12]
    draws = np.array([mechanism.release(np.array(scores)) for _ in range(20_000)])
    assert fits(draws, law(mechanism, scores)) > ALARM
    ends = np.array([-(2**63), 2**63 - 1])
    assert mechanism.release(ends) == 1


def test_no_neighbour_is_told_apart_by_more_than_epsilon() -> None:
    mechanism = Exponential(Fraction(3, 2))
    scores = [4, 1, 0]
    for moves in product((-1, 0, 1), repeat=3):
        other = law(mechanism, [score + move for score, move in zip(scores, moves, strict=True)])
        for i, chance in law(mechanism, scores).items():
            assert abs(math.log(chance / other[i])) <= 1.5 + 1e-12


def test_a_range_is_drawn_from_in_pieces() -> None:
    mechanism = Exponential(Fraction(1))
    pieces = [Piece(0, 4, 0, 1), Piece(4, 3, 2)]
    draws = np.array([mechanism.release_range(pieces) for _ in range(8000)])
    assert fits(draws, law(mechanism, [0, 1, 2, 3, 2, 2, 2])) > ALARM
    long = [Piece(0, 2**40, 0), Piece(2**40, 100, 200), Piece(2**40 + 100, 2**40, 0)]
    assert 2**40 <= mechanism.release_range(long) < 2**40 + 100
