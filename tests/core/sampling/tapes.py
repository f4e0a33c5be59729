"""Bytes that can be played again, for tests only."""

import numpy as np

from shoal.core.sampling.random_bytes import Source


class Tape(Source):
    """The same bytes for the same number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._chance = np.random.default_rng(number)

    def fresh(self, number: int) -> bytes:
        return self._chance.bytes(number)
