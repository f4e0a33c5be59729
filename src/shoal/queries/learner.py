"""Mechanisms that learn from rows of numbers: what the command `learn` asks of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.mechanism import Mechanism
from shoal.core.outcome import Json

STEPS = 2**20  # a column's declared range, in whole numbers
Learned = TypeVar("Learned")


@dataclass(frozen=True)
class Learner(Mechanism[NDArray[np.int64], Learned], Generic[Learned]):
    """A mechanism over points: whole steps from 0 to 2^20 between the declared bounds of each column."""

    epsilon: Fraction

    labelled: ClassVar[bool] = False  # the last column of a row is 1 or 0: of the kind sought, or not

    @abstractmethod
    def check(self, dimensions: int, /) -> None:
        """Refuse what cannot be, by what was declared alone."""

    @abstractmethod
    def told(self, learned: Learned, lows: Sequence[float], highs: Sequence[float], /) -> dict[str, Json]:
        """What was learned in the units of the columns; every entry is a number or one list per column."""


def in_units(
    shares: NDArray[np.float64], lows: Sequence[float], highs: Sequence[float]
) -> NDArray[np.float64]:
    """Shares of ranges as numbers within bounds."""
    low, high = np.array(lows), np.array(highs)
    return np.asarray(low + shares * (high - low))
