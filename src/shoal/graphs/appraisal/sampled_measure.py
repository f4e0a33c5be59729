"""What measures have in common that look at everything in small graphs and at a sample of large ones."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.core.errors import BadParameter


@dataclass(frozen=True)
class SampledMeasure:
    """How hard to look: exact up to a size and sampled beyond it, unless told otherwise."""

    exact: bool = False  # at any price
    sample: int | None = None  # with so many draws, however small the graph
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.exact and self.sample is not None:
            raise BadParameter(f"exact and a sample of {self.sample} exclude each other; choose one of them")
        if self.sample is not None and self.sample < 2:
            raise BadParameter(f"a sample of {self.sample} says nothing about its error; take at least 2")
        if self.seed is not None and self.seed < 0:
            raise BadParameter(f"seed {self.seed} is below 0; take a whole number from 0 on")

    def whole(self, work: float, limit: float) -> bool:
        """Whether to look at everything, given what that would cost and what it may."""
        return self.exact or (self.sample is None and work <= limit)
