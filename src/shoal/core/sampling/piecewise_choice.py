"""One number of a range too long to be listed, when the score is a line on each piece of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from shoal.core.errors import BadParameter
from shoal.core.sampling.choice import check, choose
from shoal.core.sampling.exact_probabilities import Bounds, exp_bounds, odds_chance
from shoal.core.sampling.random_bytes import Source

_LONGEST = 2**62
_STEEP = Fraction(2**60)


@dataclass(frozen=True)
class Piece:
    """The numbers start, start + 1 … (so many); number start + i has the score `score + slope · i`."""

    start: int
    length: int
    score: int
    slope: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.length <= _LONGEST:
            raise BadParameter(f"a piece of {self.length} numbers; it must hold from 1 to 2^62")

    @property
    def best(self) -> int:
        """The smallest score on it."""
        return min(self.score, self.score + self.slope * (self.length - 1))


def exact_pieces(pieces: Sequence[Piece], rate: Fraction) -> int:
    """A number of the pieces with P(x) ∝ exp(-rate · score(x)): the piece first, then a place on it."""
    check(len(pieces), rate)
    best = min(piece.best for piece in pieces)
    weights = np.array([_weight(piece, best, rate) for piece in pieces])

    def exact(bits: int) -> list[Bounds]:
        return [_bounds(piece, best, rate, bits) for piece in pieces]

    piece = pieces[choose(weights, exact)]
    place = truncated_geometric(rate * abs(piece.slope), piece.length)
    return piece.start + (piece.length - 1 - place if piece.slope < 0 else place)


def truncated_geometric(rate: Fraction, length: int) -> int:
    """A number i from 0 to length - 1 with P(i) ∝ exp(-rate · i).

    Its binary digits are independent coins as long as nothing cuts it off; what is too long is drawn again.
    """
    source, digits = Source(), (length - 1).bit_length()
    chances = [odds_chance(rate * (1 << digit)) for digit in range(digits)] if rate else []
    while True:
        if rate:
            found = sum(1 << place for place, chance in enumerate(chances) if source.coin(chance))
        else:
            found = source.number(-(-digits // 8)) & ((1 << digits) - 1)
        if found < length:
            return found


def _weight(piece: Piece, best: int, rate: Fraction) -> float:
    """The sum of exp(-rate · (score - best)) over a piece, in doubles."""
    power = float(min(rate * (piece.best - best), _STEEP))
    step = float(min(rate * abs(piece.slope), _STEEP))
    if power > 740 + 45:  # less than 2^62 · exp(-740)
        return 0.0
    if step < 1e-290:
        return math.exp(-power) * piece.length
    return math.exp(-power) * (math.expm1(-step * piece.length) / math.expm1(-step))


def _bounds(piece: Piece, best: int, rate: Fraction, bits: int) -> Bounds:
    """The same between whole numbers."""
    first = exp_bounds(rate * (piece.best - best), bits)
    step = rate * abs(piece.slope)
    if not step:
        return Bounds(first.low * piece.length, first.high * piece.length)
    # (1 - q^length) / (1 - q) lies between 1 and the length, whatever the digits say of it.
    one, ratio, end = 1 << bits, exp_bounds(step, bits), exp_bounds(step * piece.length, bits)
    most = piece.length << bits
    low = max(one, ((one - end.high) << bits) // (one - ratio.low) if ratio.low < one else one)
    high = min(most, -(-((one - end.low) << bits) // (one - ratio.high)) if ratio.high < one else most)
    return Bounds(first.low * low >> bits, -(-(first.high * high) >> bits))
