"""A simple random sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.tables.table import Table


@dataclass(frozen=True)
class Sampling(Step[Table]):
    """Only a share of the rows goes on, drawn at random without replacement.

    Who knows a person no longer knows that the person is in the release. That doubt is all it gives:
    a unique row that was drawn is as unique as before.

    Skinner, Marsh, Openshaw and Wymer, "Disclosure control for census microdata", 1994.
    """

    name: ClassVar[str] = "sampling"
    remark: ClassVar[str] = "whoever was drawn is as exposed as before"
    chance: ClassVar[str] = "only a sample of the people is in it"

    share: float = 0.1
    rows: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadParameter(f"sampling(share={self.share:g}) is not above 0 and up to 1; 0.1 is a tenth")
        if self.rows is not None and self.rows < 1:
            raise BadParameter(f"sampling(rows={self.rows}) leaves nobody; give 1 or more")

    def apply(self, table: Table, chance: np.random.Generator) -> Table:
        """The rows that were drawn, in the order they had."""
        wanted = max(1, round(self.share * table.rows)) if self.rows is None else self.rows
        if wanted > table.rows:
            raise BadParameter(
                f"sampling(rows={wanted}) asks for more than the {table.rows:,} rows there are; give fewer"
            )
        drawn = np.sort(chance.permutation(table.rows)[:wanted])
        return table.with_frame(table.frame[drawn])
