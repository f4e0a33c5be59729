"""How much of what the quasi-identifiers say about a class survives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.core.contract import Better, Measure
from shoal.core.outcome import Json
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.measures.class_entropy import BeforeAfter, class_counts


@dataclass(frozen=True)
class Gain:
    """Bits that the quasi-identifiers say about the class, together and one by one, before and after."""

    together: BeforeAfter
    columns: Mapping[str, BeforeAfter]
    kept: float | None  # share of the bits that reach the reader; nothing when there were none

    def to_json(self) -> dict[str, Json]:
        return {
            **self.together.to_json(),
            "kept": self.kept,
            "columns": {name: gain.to_json() for name, gain in self.columns.items()},
        }


@dataclass(frozen=True)
class InformationGain(Measure[SideBySide, Gain]):
    """Bits that the quasi-identifiers say about the class: its entropy less what is left when they are known.

    Together and column by column, before and after. `kept` is the share of all those bits, summed over rows,
    that the release still has; a suppressed row says nothing. Where nearly every original row is unique, the
    gain of all columns together is close to the class's whole entropy, whatever they have to do with it: then
    look at the columns, and at `classifier-accuracy`.

    Quinlan, "Induction of decision trees", 1986; Fung, Wang, Yu, "Top-down specialization", 2005.
    """

    name: ClassVar[str] = "information-gain"
    title: ClassVar[str] = "information about the class that is kept"
    better: ClassVar[Better] = "more"

    def measure(self, pair: SideBySide) -> Gain:
        def gain(columns: Sequence[str]) -> BeforeAfter:
            return BeforeAfter(
                _gain(pair.original, columns, pair.classed), _gain(pair.released, columns, pair.classed)
            )

        together = gain(pair.quasi)
        before = together.original * pair.original.height
        after = together.released * pair.released.height
        single = {column: gain([column]) for column in pair.quasi}
        return Gain(together, single, after / before if before > 0 else None)


def _gain(frame: pl.DataFrame, columns: Sequence[str], class_column: str) -> float:
    unknown = class_counts(frame, (), class_column).bits
    # Rounding must not make it less than nothing.
    return max(unknown - class_counts(frame, columns, class_column).bits, 0.0)
