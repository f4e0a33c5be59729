"""How many others each person cannot be told from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.outcome import Json

FEW = 5  # classes below this size are called small


@dataclass(frozen=True)
class Anonymity:
    """People in classes of those who look alike.

    `level` is the size of the smallest class (0 without people), `alone` the share of people in a class of
    their own, `few` the share in classes of fewer than five.
    """

    level: int
    classes: int
    alone: float
    few: float

    @classmethod
    def of(cls, numbers: NDArray[np.integer] | NDArray[np.uint64]) -> Anonymity:
        """From the class that each person is in."""
        if not len(numbers):
            return cls(0, 0, 0.0, 0.0)
        _, sizes = np.unique(numbers, return_counts=True)
        return cls.of_sizes(sizes)

    @classmethod
    def of_sizes(cls, sizes: NDArray[np.integer]) -> Anonymity:
        """From the sizes of the classes."""
        if not len(sizes):
            return cls(0, 0, 0.0, 0.0)
        people, few = int(sizes.sum()), int(sizes[sizes < FEW].sum())
        alone = int(np.count_nonzero(sizes == 1))
        return cls(int(sizes.min()), len(sizes), alone / people, few / people)

    def to_json(self) -> dict[str, Json]:
        return {"level": self.level, "classes": self.classes, "alone": self.alone, "below_five": self.few}

    def to_row(self) -> list[str]:
        """For a table: smallest class, classes, and both shares."""
        return [f"{self.level:,}", f"{self.classes:,}", f"{self.alone:.2%}", f"{self.few:.2%}"]
