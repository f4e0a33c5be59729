"""What every lattice method can be asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.losses import objective


@dataclass(frozen=True)
class LatticeRequest:
    """What to optimise, how many rows may be left out, how long it may take, and the seed of the order."""

    objective: str = "loss"
    suppress: float = 0.0
    time_limit: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.suppress <= 1:
            raise BadParameter(f"suppress is a share of the rows between 0 and 1, not {self.suppress:g}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise BadParameter(f"time-limit is a number of seconds above 0, not {self.time_limit:g}")
        objective(self.objective)

    def allowed(self, rows: int) -> int:
        """How many of the rows may be left out."""
        # The product in decimals, as the user wrote it: 0.29 × 100 must be 29.
        return math.floor(rows * self.suppress + 1e-9)
