"""l-diversity, in its four readings."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.frequency_bound import Bound
from shoal.tables.model_inputs.classes import Classes, ValueCounts

Kind = Literal["distinct", "probabilistic", "entropy", "recursive"]
KINDS = ("distinct", "probabilistic", "entropy", "recursive")
Floats = NDArray[np.float64]

# Logarithms of equal shares differ in the last digits; this forgives those and nothing else.
ROUNDING = 1e-12


@dataclass(frozen=True)
class LDiversity(ClassModel[Classes]):
    """Every class has l well-represented sensitive values.

    `distinct`: at least l values. `probabilistic`: the most frequent has a share of at most 1/l.
    `entropy`: H ≥ log l. `recursive`: r₁ < c·(r_l + r_{l+1} + … + r_m), counts from most to least frequent.
    Offers l, but for `recursive` the smallest c that would do is just above the level.
    The lectures print r₁ in place of r_l in the recursive sum; the paper's definition is used here.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", 2007.
    """

    name: ClassVar[str] = "l-diversity"
    example: ClassVar[str] = "l=2"
    asks: ClassVar[Mapping[str, str]] = {
        "l": "different values in each group, at least; 2 or 3 is usual",
        "kind": "how different values are counted; distinct is the simplest",
        "c": "for the kind recursive only: rarer values times this outweigh the most frequent",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    question: ClassVar[str] = "Is there a column that must stay secret, such as a diagnosis?"
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"

    l: float  # noqa: E741  the paper's letter
    kind: Kind = "distinct"
    c: float | None = None
    column: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadParameter(f"l-diversity knows the kinds {', '.join(KINDS)}, not '{self.kind}'")
        if not 1 <= self.l < np.inf:
            raise BadParameter(f"l-diversity needs a number l of at least 1, not {self.l:g}")
        if self.kind in ("distinct", "recursive") and self.l != int(self.l):
            raise BadParameter(f"{self.kind} l-diversity counts values: l must be whole, not {self.l:g}")
        if self.kind == "recursive" and (self.c is None or not 0 < self.c < np.inf):
            raise BadParameter(f"recursive l-diversity needs a c above 0, not {self.c}; for example c=3")
        if self.kind != "recursive" and self.c is not None:
            raise BadParameter(f"c belongs to recursive l-diversity, not to {self.kind}; leave it out")

    def in_words(self) -> str:
        about, many = self.column or EACH, f"{self.l:g}"
        return {
            "distinct": f"Every group has at least {many} different values of {about}, so that finding "
            "somebody's group does not give theirs away.",
            "probabilistic": f"In no group does one value of {about} fit more than 1 row in {many}.",
            "entropy": f"In every group the values of {about} are mixed at least as well as {many} equally "
            "frequent ones.",
            "recursive": f"In no group does one value of {about} outweigh the rare ones: it stays below "
            f"{self.c or 0:g} times the rows of those from rank {many} on.",
        }[str(self.kind)]

    @property
    def bound(self) -> Bound | None:
        if self.kind == "probabilistic":
            return Bound("share", 1 / self.l)
        return Bound("distinct", self.l) if self.kind == "distinct" and self.l > 1 else None

    def unmet(self, whole: Classes) -> str | None:
        return recursive_unmet(self.level(whole), self.l) if self.kind == "recursive" else None

    def level(self, classes: Classes) -> float:
        levels = [self._offers(counts) for counts in classes.about(self.column, self.name)]
        worst = max if self.kind == "recursive" else min
        return float(worst(worst(offer, default=0.0) for offer in levels))

    def holds(self, classes: Classes) -> Mask:
        holds: Mask = np.logical_and.reduce(
            [self._enough(counts) for counts in classes.about(self.column, self.name)]
        )
        return holds

    def doomed(self, classes: Classes) -> Floats:
        lost: Floats = np.maximum.reduce(
            [self._doomed(counts, classes.sizes) for counts in classes.about(self.column, self.name)]
        )
        return lost

    def _offers(self, counts: ValueCounts) -> Floats:
        if self.kind == "distinct":
            return np.diff(counts.offsets).astype(np.float64)
        if self.kind == "probabilistic":
            return counts.sizes / counts.most
        if self.kind == "entropy":
            return np.exp(counts.entropy)
        top, tail = self._top_and_tail(counts)
        with np.errstate(divide="ignore"):
            return top / tail

    def _enough(self, counts: ValueCounts) -> Mask:
        if self.kind == "distinct":
            return np.diff(counts.offsets) >= self.l
        if self.kind == "probabilistic":
            return np.asarray(counts.most * self.l <= counts.sizes * (1 + ROUNDING))
        if self.kind == "entropy":
            return np.asarray(counts.entropy >= np.log(self.l) - ROUNDING)
        assert self.c is not None
        top, tail = self._top_and_tail(counts)
        # Strict in the decimals that were written: 1.1 × 20 comes out above 22 and must not pass for it.
        return np.asarray(top < self.c * tail * (1 - ROUNDING))

    def _doomed(self, counts: ValueCounts, sizes: NDArray[np.int64]) -> Floats:
        fails = ~self._enough(counts)
        # With fewer than l values in the class, no part of it can have l.
        hopeless = np.diff(counts.offsets) < np.ceil(self.l - ROUNDING)
        # All four readings survive the union of classes that keep them, so the parts of a failing class
        # cannot all be released; how many rows must go follows from the rows that tip the balance.
        least = np.ones(len(sizes))
        if self.kind == "probabilistic" and self.l > 1:
            least = np.maximum(least, np.ceil((counts.most * self.l - sizes) / (self.l - 1) - 1e-6))
        if self.kind == "recursive":
            assert self.c is not None
            top, tail = self._top_and_tail(counts)
            least = np.maximum(least, np.floor(top - self.c * tail - 1e-6) + 1)
        return np.where(hopeless, sizes, np.where(fails, np.minimum(least, sizes), 0.0))

    def _top_and_tail(self, counts: ValueCounts) -> tuple[Floats, Floats]:
        """r₁ and r_l + … + r_m per class."""
        starts, ends = counts.offsets[:-1], counts.offsets[1:]
        number = np.repeat(np.arange(len(starts)), np.diff(counts.offsets))
        ordered = counts.counts[np.lexsort((-counts.counts, number))]
        upto = np.concatenate(([0], np.cumsum(ordered)))
        split = np.minimum(starts + int(self.l) - 1, ends)
        return ordered[starts].astype(np.float64), (upto[ends] - upto[split]).astype(np.float64)


def recursive_unmet(level: float, l: float) -> str:  # noqa: E741  the paper's letter
    """What a table that is one class lacks for recursive diversity, given the c that it offers."""
    if not math.isfinite(level):
        return f"has too few values for l={l:g}; ask for a smaller l"
    return f"needs c above {math.ceil(level * 1e4 - 1e-9) / 1e4:.12g}; ask for that, or a smaller l"
