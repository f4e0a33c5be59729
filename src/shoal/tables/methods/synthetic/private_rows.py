"""The rows themselves, and the two figures that noise and choices are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.tables.methods.synthetic.junction_tree import Clique
from shoal.tables.methods.synthetic.privacy_account import STEPS, Ints


@dataclass(frozen=True, eq=False)
class PrivateRows:
    """Rows as label numbers, one more or less of which moves each count by 1 and each `miss` by 64."""

    rows: Ints
    widths: tuple[int, ...]

    @cached_property
    def _known(self) -> dict[Clique, Ints]:
        return {}

    def counts(self, columns: Clique) -> Ints:
        """How many rows each combination of some columns has."""
        if columns not in self._known:
            shape = [self.widths[column] for column in columns]
            places = np.ravel_multi_index(tuple(self.rows[:, column] for column in columns), shape)
            self._known[columns] = np.bincount(places, minlength=math.prod(shape)).reshape(shape)
        return self._known[columns]

    def miss(self, columns: Clique, expected: NDArray[np.float64]) -> int:
        """How far a model is off, all cells together, in 1/64 rows: a whole number."""
        guess = np.rint(STEPS * expected).astype(np.int64)
        return int(np.abs(STEPS * self.counts(columns) - guess).sum())
