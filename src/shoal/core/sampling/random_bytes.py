"""Random bytes, each handed out once."""

from __future__ import annotations

import os
import secrets
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shoal.core.randomness import picks
from shoal.core.sampling.exact_probabilities import Chance

_SIZE = 4096


class Source:
    """Bytes of the operating system. It is made for one call and never shared: no byte is used twice."""

    def __init__(self) -> None:
        self.bytes = np.empty(0, np.uint8)
        self.position = 0

    def fresh(self, number: int) -> bytes:
        """Bytes that nobody has seen."""
        return os.urandom(number)

    def refill(self, number: int) -> None:
        """New bytes in place of the old ones; those not yet read are thrown away unseen."""
        self.bytes, self.position = np.frombuffer(self.fresh(number), np.uint8), 0

    def byte(self) -> int:
        """The next byte."""
        if self.position >= len(self.bytes):
            self.refill(_SIZE)
        self.position += 1
        return int(self.bytes[self.position - 1])

    def number(self, width: int) -> int:
        """The next bytes as one whole number."""
        found = 0
        for _ in range(width):
            found = found << 8 | self.byte()
        return found

    def coin(self, chance: Chance) -> bool:
        """True with exactly a probability: its digits against random ones, until they differ."""
        place = 0
        while True:
            drawn, wanted = self.byte(), chance.byte(place)
            if drawn != wanted:
                return drawn < wanted
            place += 1


def flips(probability: Fraction, number: int) -> NDArray[np.bool_]:
    """Coins that fall on True with exactly a rational probability."""
    if probability.denominator < 2**62:
        return np.asarray(picks(number, probability.denominator) < probability.numerator)
    return np.array(
        [secrets.randbelow(probability.denominator) < probability.numerator for _ in range(number)], np.bool_
    )
