"""Quantiles by a choice among steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.sampling.choice import exact_choice, exact_flip
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers

_MISS = 40  # so rarely does a least or greatest value fly beyond the data
_MOST = 2**40  # rows; times the finest denominator they fit 64 bits
_FINEST = 10**6
_WIDTH = Fraction(1, 10)  # of ε: it tells how dense the rows are around the value
_CROWD = 8  # rows of a window, in units of the noise on their number
_WHOLE = 3  # the same for the window that holds everything: chosen by mistake once in twenty times
_SELDOM = 20  # so rarely is a window taken where there are too few rows
_LADDER = 4  # widths in an octave
_SPARE = 1.25  # rows may be less dense on one side than in the window
_GAP = 0.5  # of a gap between two rows: so much farther off is a value whose gaps are of any size


@dataclass(frozen=True)
class QuantileChoice:
    """A step, two between which the true one lies, and how far off it is on average where that is known."""

    value: int
    low: int
    high: int
    error: float | None = None


@dataclass(frozen=True)
class Quantile(Mechanism[NDArray[np.int64], QuantileChoice]):
    """The step of a range that a share of the rows lies below, with an interval: ε-differential privacy.

    Somebody has at most `reach` rows. The score of a step is how many rows its rank is away from the rank
    asked for; where the step holds rows on both sides of that, by how many it is safe, with a minus sign, so
    that a value that many rows have is not taken for its neighbour. Steps are chosen by permute and flip with
    9/10 of ε. How far off the rank is follows from that, but not how far the value: so the rest of ε chooses
    how wide a window around the value holds a certain number of rows. Error and interval are those of the
    rank, times the steps for each row in the window: an estimate, good where rows are as dense on both sides,
    and a quarter wider for where they are not. Where there are fewer rows, in all or on one side of the
    value, the interval is the whole range and the error unknown.

    A share of 0 or 1 (the least, the greatest) would fly to the bound of the range, since nothing holds it:
    the value aims inside by the rank error that is exceeded once in 40 times, at the price of a bias of so
    many rows. The interval goes on to the bound, and how far off the value is depends on what nobody can know
    privately; the rest of ε tells whether there are rows enough for it to hold.

    With `beside`, that is the ε of the window, on top of the other, and both are chosen by the exponential
    mechanism. This has a bounded range: the logarithms of all probabilities move within ε of each other, so
    that a choice of ε costs ε²/8 under zCDP and not ε²/2 (Cesar & Rogers 2021, lemma 3.2, after Durfee &
    Rogers 2019). Of permute and flip that is not known; it is never farther off at the same ε.

    McSherry, Talwar, "Mechanism design via differential privacy", 2007; McKenna, Sheldon,
    "Permute-and-flip: a new mechanism for differentially private selection", 2020; for quantiles Smith 2011.
    """

    name: ClassVar[str] = "quantile"
    example: ClassVar[str] = "epsilon=0.5"
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((2, 1, 0, 1), (2, 1, 0, 2))

    epsilon: Fraction
    share: Fraction = Fraction(1, 2)
    reach: int = 1
    beside: Fraction | None = None

    def __post_init__(self) -> None:
        settle(self, epsilon=None, share=Fraction(0))
        if self.beside is not None:
            settle(self, beside=None)
        whole(self, reach=1)
        if self.share > 1:
            raise BadParameter(f"quantile needs a share from 0 to 1, not {float(self.share):g}")
        if self.share.denominator > _FINEST:
            raise BadParameter(f"quantile takes shares of six digits at most, not {float(self.share)!r}")
        if self.rank_error(_MOST) * _CROWD >= _MOST:
            raise BadParameter(f"epsilon {float(self.epsilon):g} is too small for a quantile; raise it")

    @property
    def sensitivity(self) -> int:
        """How far a score moves with one person, in half rows times the denominator of the share."""
        p, q = self.share.numerator, self.share.denominator
        return 2 * self.reach * max(p, q - p)

    @property
    def extreme(self) -> bool:
        """Whether it is the least or the greatest."""
        return self.share in (0, 1)

    def rank_error(self, steps: int) -> int:
        """By how many rows the value is off, but for one time in 40."""
        # At least one step has the best score, and each of the others falls short of it with exp(-rate ·
        # score).
        return math.ceil(math.log(_MISS * (steps + 2)) * self._typical * (1 + 1e-9))

    def release(self, counts: NDArray[np.int64]) -> QuantileChoice:
        """A step and its interval, given the number of rows in each step."""
        if not counts.size:
            raise BadParameter("there is no step to choose from; give the number of rows in at least one")
        counts = integers(counts, 0)
        choice = exact_flip if self.beside is None else exact_choice
        value = choice(self.scores(counts, self._inside(counts.size)), self._rate)
        last = counts.size - 1
        widths = self.widths(counts.size, value)
        width = widths[choice(self.width_scores(counts, value, widths), self._width_rate)]
        if width < 0:
            return QuantileChoice(value, 0, last)
        if self.extreme:
            return QuantileChoice(value, value if self.share else 0, last if self.share else value)
        low, high = _window(value, width, counts.size)
        each = (high - low) / self._crowd  # steps for a row
        # The rank is off by a two-sided exponential number of rows. Wide gaps are chosen more often than
        # narrow ones, where steps are finer than rows, unless the rank is nearly sure.
        gap = _GAP * (1 - math.exp(-self._typical))
        far = each * self._typical + gap * max(0.0, each - 1)
        reach = math.ceil(far * math.log(20) * _SPARE)
        # A step that holds many rows is missed only where the rank lies close to its border: so much of it
        # is left over all places in the step (half, and a little where the truth lies between two steps).
        border = 0.55 if self.beside is None else math.log(2)
        error = far if far >= 1 else far * (border + (1 - border) * far)
        return QuantileChoice(value, max(0, value - reach), min(last, value + reach), error)

    def widths(self, steps: int, value: int) -> list[int]:
        """On how many steps of either side a window ends at most; -1 stands for not knowing.

        The widest reaches the farther end of the range. Of extremes it is the one window: there are rows
        enough, or it is not known.
        """
        farther = max(value, steps - 1 - value)
        rungs = range(_LADDER * farther.bit_length() + 1)
        ends = set() if self.extreme else {round(2 ** (rung / _LADDER)) - 1 for rung in rungs}
        return [*sorted({end for end in ends if end < farther} | {farther}), -1]

    def width_scores(self, counts: NDArray[np.int64], value: int, widths: list[int]) -> NDArray[np.int64]:
        """How far each window is from holding as many rows as wanted: one row moves each by 1 at most.

        One that goes beyond the range ends there. Not knowing has a score of its own, so that few rows are
        not mistaken for rows that are far apart. The narrowest may hold more. All are as far off as there are
        rows too few to hold the value on either side.
        """
        exact = counts if int(counts.max()) * counts.size <= _MOST else counts.astype(object)
        upto = np.concatenate(([0], np.cumsum(exact)))
        found, crowd = [], self._crowd
        lacking = self._enough(counts.size, len(widths)) - int(upto[-1])
        for width in widths[:-1]:
            low, high = _window(value, width, counts.size)
            short = crowd - int(upto[high] - upto[low])
            found.append(max(lacking, short, 0) if width == widths[0] else max(lacking, abs(short)))
        return integers(np.array([*found, math.ceil(_WHOLE * self._blur)], object), 0)

    def scores(self, counts: NDArray[np.int64], shift: int = 0) -> NDArray[np.int64]:
        """How far each step is from the rank asked for, in half rows times the denominator; shift in rows.

        Below 0 where it lies inside the step. One row moves both distances by max(share, 1 - share) rows. A
        step with rows counts half a row more, because its rows are neither below nor above: without that it
        would be closer than an empty one at the same place. The first row of a step moves it by half less.
        """
        p, q = self.share.numerator, self.share.denominator
        # More rows than fit 64 bits with the denominator are added up without an end to the digits.
        exact = counts if int(counts.max()) * counts.size <= _MOST else counts.astype(object)
        upto = np.cumsum(exact)
        target = p * int(upto[-1]) + shift
        away = np.maximum(q * (upto - exact) - target, target - q * upto)
        return integers(2 * away + q * (exact > 0))

    @property
    def _rate(self) -> Fraction:
        return self.epsilon * (1 - _WIDTH if self.beside is None else 1) / (2 * self.sensitivity)

    @property
    def _typical(self) -> float:
        """How many rows the rank is off on average."""
        return 1 / (2 * float(self._rate) * self.share.denominator)

    @property
    def _width_rate(self) -> Fraction:
        return (self.epsilon * _WIDTH if self.beside is None else self.beside) / (2 * self.reach)

    @property
    def _blur(self) -> Fraction:
        """By how many rows a window is off."""
        return 1 / self._width_rate

    @property
    def _crowd(self) -> int:
        """How many rows a window should hold."""
        return math.ceil(_CROWD * self._blur)

    def _enough(self, steps: int, widths: int) -> int:
        """How many rows there must be, so that as many lie on either side of the value as its rank is off.

        And more, so that with fewer rows than that all windows together are chosen once in twenty times.
        """
        if self.extreme:
            return 0
        beyond = math.ceil((_WHOLE + math.log(_SELDOM * widths)) * self._blur)
        return math.ceil(self.rank_error(steps) / min(self.share, 1 - self.share)) + beyond

    def _inside(self, steps: int) -> int:
        """How far from the end a least or greatest value is sought, in rows."""
        return {Fraction(0): 1, Fraction(1): -1}.get(self.share, 0) * self.rank_error(steps)


def _window(value: int, width: int, steps: int) -> tuple[int, int]:
    """The first step of a window and the one behind its last: it ends where the range does."""
    return max(0, value - width), min(steps, value + width + 1)
