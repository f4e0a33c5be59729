"""Recursive (c,l)-diversity where some values may be disclosed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.share_limits import among

Floats = NDArray[np.float64]

ROUNDING = 1e-12


@dataclass(frozen=True)
class PositiveDisclosure(ClassModel[Classes]):
    """Every class is recursively (c,l)-diverse, except that it may disclose the allowed values.

    Let the most frequent value that is not allowed be the y-th most frequent one, counts r₁ ≥ r₂ ≥ … ≥ r_m.
    If y < l: r_y < c·(r_l + … + r_m). Else r_y < c·(r_{l-1} + … + r_m - r_y). Either way: what is left when
    the attacker rules out the l - 2 most frequent other values outweighs r_y. A class that has only allowed
    values holds. The smallest c that would do is just above the level.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
    (pd-recursive (c,l)-diversity), 2007.
    """

    name: ClassVar[str] = "positive-disclosure"
    example: ClassVar[str] = "c=3,l=2"
    asks: ClassVar[Mapping[str, str]] = {
        "c": "rarer values times this outweigh the most frequent",
        "l": "from which rank on values count as rare",
        "allowed": "values that anybody may learn",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"
    lower_is_better: ClassVar[bool] = True
    strict: ClassVar[bool] = True  # the level itself does not hold

    c: float
    l: int  # noqa: E741  the paper's letter
    allowed: tuple[str, ...] = ()
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.c < np.inf:
            raise BadParameter(f"{self.name} needs a c above 0, not {self.c:g}; for example c=3")
        if self.l < 2:
            raise BadParameter(f"{self.name} needs l of at least 2, not {self.l}; 1 protects nothing")

    @property
    def named_values(self) -> Mapping[str, Sequence[str]]:
        return {"allowed": self.allowed}

    def in_words(self) -> str:
        rest = "all others together"
        if self.l > 2:
            rest = f"what is left when the {self.l - 2:,} most frequent others are ruled out"
        spared = f"; {', '.join(self.allowed)} may be disclosed" if self.allowed else ""
        about = self.column or EACH
        return f"In no group has a value of {about} {self.c:g} times as many rows as {rest}{spared}."

    def level(self, classes: Classes) -> float:
        needed = []
        for counts in classes.about(self.column, self.name):
            top, tail = self._top_and_tail(counts)
            with np.errstate(divide="ignore", invalid="ignore"):
                needed.append(np.where(top > 0, top / tail, 0.0).max(initial=0.0))
        return float(max(needed))

    def holds(self, classes: Classes) -> Mask:
        holds = np.ones(len(classes), np.bool_)
        for counts in classes.about(self.column, self.name):
            top, tail = self._top_and_tail(counts)
            # Strict in the decimals that were written: 1.1 × 20 comes out above 22 and must not pass for it.
            holds &= (top == 0) | (top < self.c * tail * (1 - ROUNDING))
        return holds

    def doomed(self, classes: Classes) -> Floats:
        lost = np.zeros(len(classes))
        for counts in classes.about(self.column, self.name):
            top, tail = self._top_and_tail(counts)
            # Parts that hold add up to a whole that holds, and no part has a longer tail than its class: so
            # many rows of the value must go, or all of them.
            least = np.clip(np.floor(top - self.c * tail - 1e-6) + 1, 1, top)
            fails = (top > 0) & ~(top < self.c * tail * (1 - ROUNDING))
            # With fewer than l values no part can have a tail, and no value that is not allowed may stay.
            kept = np.where(among(counts, self.allowed), 0, counts.counts)
            secret = np.add.reduceat(kept, counts.offsets[:-1])
            least = np.where(np.diff(counts.offsets) < self.l, secret, least)
            lost = np.maximum(lost, np.where(fails, least, 0.0))
        return lost

    def _top_and_tail(self, counts: ValueCounts) -> tuple[Floats, Floats]:
        """r_y (0 where all may show), and the rows left without it and the l - 2 most frequent others."""
        starts, widths = counts.offsets[:-1], np.diff(counts.offsets)
        number = np.repeat(np.arange(len(starts)), widths)
        secret = ~among(counts, self.allowed)
        top = np.maximum.reduceat(np.where(secret, counts.counts, 0), starts)
        # Among equals the secret one comes first, so that r_y is found by its place.
        order = np.lexsort((~secret, -counts.counts, number))
        ordered, secret = counts.counts[order], secret[order]
        place = np.arange(len(order)) - np.repeat(starts, widths)
        y = np.minimum.reduceat(np.where(secret, place, len(order)), starts)
        # The l - 2 others: the first l - 2 places, or one more where r_y is among the first l - 1.
        out = np.where(y < self.l - 1, self.l - 1, self.l - 2)
        behind = (place >= np.repeat(out, widths)) & (place != np.repeat(y, widths))
        tail = np.add.reduceat(np.where(behind, ordered, 0), starts)
        return top.astype(np.float64), tail.astype(np.float64)
