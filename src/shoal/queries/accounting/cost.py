"""What a question costs, as two whole numbers that add up without rounding."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

LOSS_STEP = Fraction(1, 10**12)  # of ε, or of ρ under zCDP
DELTA_STEP = Fraction(1, 10**18)


@dataclass(frozen=True)
class Cost:
    """Loss (ε, or ρ under zCDP) and δ in steps: exact sums, and both fit into 64 bits."""

    loss: int = 0
    delta: int = 0

    @classmethod
    def of(cls, loss: Fraction, delta: Fraction = Fraction(0)) -> Cost:
        """A cost is rounded up: never does the ledger note less than was spent."""
        return cls(math.ceil(loss / LOSS_STEP), math.ceil(delta / DELTA_STEP))

    @classmethod
    def limit(cls, loss: Fraction, delta: Fraction = Fraction(0)) -> Cost:
        """A limit is rounded down."""
        return cls(math.floor(loss / LOSS_STEP), math.floor(delta / DELTA_STEP))

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.loss + other.loss, self.delta + other.delta)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.loss - other.loss, self.delta - other.delta)

    def within(self, limit: Cost) -> bool:
        """Whether both parts stay below a limit."""
        return self.loss <= limit.loss and self.delta <= limit.delta

    @property
    def exact(self) -> tuple[Fraction, Fraction]:
        """Loss and δ as fractions."""
        return self.loss * LOSS_STEP, self.delta * DELTA_STEP
