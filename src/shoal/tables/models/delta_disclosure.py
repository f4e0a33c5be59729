"""δ-disclosure privacy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.share_limits import surplus

Floats = NDArray[np.float64]

ROUNDING = 1e-12


@dataclass(frozen=True)
class DeltaDisclosure(ClassModel[Classes]):
    """Every sensitive value is about as frequent in a class as in the whole table: |log₂(q/p)| < delta.

    p is its share in the table before suppression, q in the class. A value that a class lacks is infinitely
    far, so every class must have every value. ARX passes over such values; the definition does not.

    Brickell, Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data
    publishing", 2008.
    """

    name: ClassVar[str] = "delta-disclosure"
    example: ClassVar[str] = "delta=1"
    asks: ClassVar[Mapping[str, str]] = {
        "delta": "how far a share in a group may be from that in the table: 1 is half or twice",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage", "probabilistic")
    reads: ClassVar[Reads] = "distribution"
    scope: ClassVar[Scope] = "class"
    lower_is_better: ClassVar[bool] = True
    strict: ClassVar[bool] = True  # the level itself does not hold

    delta: float
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.delta < np.inf:
            raise BadParameter(f"{self.name} needs a delta above 0, not {self.delta:g}; 1 to 2 is common")

    def in_words(self) -> str:
        factor = f"{2**self.delta:.3g}" if self.delta < 50 else f"2^{self.delta:g}"
        return (
            f"Every value of {self.column or EACH} occurs in every group, less than {factor} times as often "
            "or as rarely as in the whole table."
        )

    def level(self, classes: Classes) -> float:
        about = classes.about(self.column, self.name)
        return float(max(_distance(counts).max(initial=0.0) for counts in about))

    def holds(self, classes: Classes) -> Mask:
        holds = np.ones(len(classes), np.bool_)
        for counts in classes.about(self.column, self.name):
            # Strict, also where the logarithm comes out a hair below delta.
            holds &= _distance(counts) < self.delta * (1 - ROUNDING)
        return holds

    def doomed(self, classes: Classes) -> Floats:
        lost = np.zeros(len(classes))
        for counts in classes.about(self.column, self.name):
            whole = _whole(counts)
            lost = np.maximum(lost, surplus(counts, whole * 2**self.delta))
            # Of the rows that stay a value must make up more than p / 2^delta, and no rows of it come in.
            with np.errstate(divide="ignore"):
                room = np.floor(counts.counts * 2**self.delta / whole + 1e-6)
            room = np.minimum.reduceat(room, counts.offsets[:-1])
            lost = np.maximum(lost, np.where(_lacks(counts), classes.sizes, classes.sizes - room))
        return lost


def _whole(counts: ValueCounts) -> Floats:
    """Per count, the share of its value in the whole table."""
    totals = counts.domain.totals
    return np.asarray((totals / totals.sum())[counts.values])


def _lacks(counts: ValueCounts) -> Mask:
    """Whether a class lacks a value that the table has."""
    known = counts.domain.totals > 0
    found = np.add.reduceat(known[counts.values].astype(np.int64), counts.offsets[:-1])
    return found < int(known.sum())


def _distance(counts: ValueCounts) -> Floats:
    with np.errstate(divide="ignore"):
        gaps = np.abs(np.log2(counts.shares / _whole(counts)))
    return np.where(_lacks(counts), np.inf, np.maximum.reduceat(gaps, counts.offsets[:-1]))
