"""Noise on numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.number_columns import Numbers
from shoal.tables.table import Table

Kind = Literal["gaussian", "laplace", "uniform"]
Bounds = Literal["open", "kept"]


@dataclass(frozen=True)
class Noise(Step[Table]):
    """Every number is moved by chance, about `deviation` of the column's standard deviation far.

    The three kinds have the same standard deviation. Whole numbers stay whole, a missing value stays missing;
    `bounds=kept` brings back what left the column's own range. It hides exact values from a linkage by
    number, but it is no differential privacy: no ε is promised, and a rare value stays rare.

    Kim, "A method for limiting disclosure in microdata based on random noise and transformation", 1986.
    """

    name: ClassVar[str] = "noise"
    example: ClassVar[str] = "column=age"
    remark: ClassVar[str] = "noise on values is no differential privacy"
    seedless: ClassVar[bool] = True  # whoever knows a seed takes the noise off again
    chance: ClassVar[str] = "numbers were moved by chance"

    column: str
    deviation: float = 0.1
    kind: Kind = "gaussian"
    bounds: Bounds = "open"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.deviation) and self.deviation > 0):
            raise BadParameter(f"noise(deviation={self.deviation:g}) is not above 0; give one such as 0.1")
        if self.kind not in get_args(Kind):
            raise BadParameter(f"noise has no kind '{self.kind}'; it has {', '.join(get_args(Kind))}")
        if self.bounds not in get_args(Bounds):
            raise BadParameter(f"noise(bounds={self.bounds}) is neither {' nor '.join(get_args(Bounds))}")

    @property
    def changes(self) -> tuple[str, ...]:
        return (self.column,)

    def apply(self, table: Table, chance: np.random.Generator) -> Table:
        """The table with the column moved."""
        numbers = Numbers.of(table, self.column, self.name)
        known = numbers.values[numbers.known]
        spread = float(np.std(known)) if len(known) else 0.0
        if not (spread > 0 and math.isfinite(spread)):
            # Nothing would change, and the release would claim that it had.
            raise BadParameter(
                f"noise is a share of the spread of '{self.column}', which has none: all values are alike"
            )
        moved = numbers.values + self._draw(chance, table.rows) * self.deviation * spread
        if self.bounds == "kept":
            moved = np.clip(moved, known.min(), known.max())
        return table.with_frame(table.frame.with_columns(numbers.written(moved)))

    def _draw(self, chance: np.random.Generator, rows: int) -> NDArray[np.float64]:
        """Noise with a standard deviation of 1."""
        if self.kind == "gaussian":
            return chance.standard_normal(rows)
        if self.kind == "laplace":
            return chance.laplace(0.0, math.sqrt(0.5), rows)
        return chance.uniform(-math.sqrt(3), math.sqrt(3), rows)
