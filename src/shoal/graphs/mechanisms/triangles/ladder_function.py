"""A ladder of whole numbers around a true one: the farther a rung, the less likely."""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from shoal.core.sampling.exact_probabilities import Chance, exp_chance, odds_chance
from shoal.core.sampling.piecewise_choice import Piece, exact_pieces
from shoal.core.sampling.random_bytes import Source

_FAR = 45  # exp(-45) is less than 2^-64
_MOST_RUNGS = 10_000_000


@dataclass(frozen=True)
class Ladder:
    """Rung 0 is the true number; rung t has I_{t-1} numbers on either side of the rungs before.

    I_t = min(shared + t, ⌊(spread + t) / 2⌋, most). The number can move by I_0 when one edge changes, and
    I_t of a neighbour is I_{t+1} at most, because `shared` and `spread` move by 1 at most: so no number moves
    by more than one rung, and P ∝ exp(-rate · rung) is 2·rate-differentially private. It needs
    1 ≤ shared ≤ most and 2·shared ≤ spread.

    Zhang, Cormode, Procopiuc, Srivastava, Xiao, "Private release of graph statistics using ladder
    functions", 2015.
    """

    shared: int
    spread: int
    most: int

    @property
    def _slow(self) -> int:
        """From here on every second step grows."""
        return self.spread - 2 * self.shared

    @property
    def _single(self) -> int:
        """How often I_t grows in steps of one."""
        return min(self._slow, self.most - self.shared)

    @property
    def _double(self) -> int:
        """How often it grows in every second step, after that."""
        return max(0, self.most - (self.spread - self.shared))

    def reach(self, t: int) -> int:
        """I_t."""
        late = min(max((t - self._slow) // 2, 0), self._double)
        return self.shared + min(t, self._single) + late

    def within(self, t: int) -> int:
        """I_0 + … + I_{t-1}: how far rung t goes."""
        single, double, late = self._single, self._double, max(0, t - self._slow)
        early = min(t, single + 1)
        grown = early * (early - 1) // 2 + (t - early) * single
        pairs, odd = divmod(min(late, 2 * double), 2)
        grown += pairs * (pairs - 1) + odd * pairs + max(0, late - 2 * double) * double
        return self.shared * t + grown

    def rung(self, distance: int) -> int:
        """The rung of a number that is so far from the true one."""
        low, high = 0, distance  # every rung has a number at least
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.within(middle) >= distance else (middle + 1, high)
        return low

    def pieces(self) -> list[Piece]:
        """Rungs as stacked strips, each one number wide and endless: by the rung where they start."""
        pieces = [Piece(0, 1, 0)]
        if self.shared > 1:
            pieces.append(Piece(1, self.shared - 1, 1))
        if self._single:
            pieces.append(Piece(self.shared, self._single, 2, 1))
        if self._double:
            pieces.append(Piece(self.shared + self._single, self._double, self._slow + 3, 2))
        return pieces

    def draw(self, rate: Fraction) -> int:
        """How far to go from the true number, exactly: P ∝ exp(-rate · rung)."""
        pieces, source = self.pieces(), Source()
        while True:
            strip = exact_pieces(pieces, rate)
            piece = next(piece for piece in reversed(pieces) if piece.start <= strip)
            rung = piece.score + piece.slope * (strip - piece.start) + geometric(rate, source)
            negative = source.byte() & 1
            if rung:
                step = self.within(rung - 1) + 1 + secrets.randbelow(self.reach(rung - 1))
                return -step if negative else step
            if not negative:  # nought has one side only
                return 0

    def error(self, rate: Fraction) -> float | None:
        """How far a draw goes on average; unknown where too many rungs count. It tells of the graph."""
        rungs = math.ceil(_FAR / rate)
        if rungs > _MOST_RUNGS:
            return None
        t = np.arange(rungs, dtype=np.float64)
        late = np.clip((t - self._slow) // 2, 0, self._double)
        reach = self.shared + np.minimum(t, self._single) + late
        before = np.concatenate(([0.0], np.cumsum(reach)[:-1]))
        weights = np.exp(-float(rate) * (t + 1))
        far = reach * before + reach * (reach + 1) / 2
        return float(2 * (far * weights).sum() / (1 + 2 * (reach * weights).sum()))


def geometric(rate: Fraction, source: Source) -> int:
    """A whole number with P(x) ∝ exp(-rate · x), exactly: its binary digits are independent coins."""
    *digits, beyond = _coins(rate)
    found = sum(1 << place for place, chance in enumerate(digits) if source.coin(chance))
    while source.coin(beyond):
        found += 1 << len(digits)
    return found


@lru_cache(maxsize=64)
def _coins(rate: Fraction) -> tuple[Chance, ...]:
    """A coin for each digit, and one for all that lies beyond."""
    reach = _FAR / rate
    digits = (reach.numerator // reach.denominator).bit_length()
    return (*(odds_chance(rate * (1 << place)) for place in range(digits)), exp_chance(rate * (1 << digits)))
