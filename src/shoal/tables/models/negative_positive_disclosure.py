"""Recursive (c,l)-diversity that also protects from learning that somebody does not have a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.models.positive_disclosure import PositiveDisclosure

Floats = NDArray[np.float64]

ROUNDING = 1e-12


@dataclass(frozen=True)
class NegativePositiveDisclosure(ClassModel[Classes]):
    """Every class keeps positive-disclosure (c1,l), and each protected value makes up at least c2 % of it.

    So nobody can be shown not to have a protected value. c2 is in per cent, as in the paper; the level is the
    smallest of these per cents.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
    (npd-recursive (c1,c2,l)-diversity), 2007.
    """

    name: ClassVar[str] = "negative-positive-disclosure"
    example: ClassVar[str] = "c1=3,c2=20,l=2,protected=1"
    asks: ClassVar[Mapping[str, str]] = {
        "c1": "rarer values times this outweigh the most frequent",
        "c2": "share of a group that each protected value makes up, in per cent, at least",
        "l": "from which rank on values count as rare",
        "protected": "values of which nobody may be seen not to have them",
        "allowed": "values that anybody may learn",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"

    c1: float
    c2: float
    l: int  # noqa: E741  the paper's letter
    protected: tuple[str, ...]
    allowed: tuple[str, ...] = ()
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.c1 < np.inf:
            raise BadParameter(f"{self.name} needs a c1 above 0, not {self.c1:g}; for example c1=3")
        if self.l < 2:
            raise BadParameter(f"{self.name} needs l of at least 2, not {self.l}; 1 protects nothing")
        if not self.protected:
            raise BadParameter(f"{self.name} needs protected values; write protected=HIV|Cancer")
        most = 100 / len(set(self.protected))
        if not 0 < self.c2 <= most * (1 + ROUNDING):
            raise BadParameter(
                f"{self.name} needs c2 in per cent above 0 and up to {most:g} for "
                f"{len(set(self.protected))} protected values, not {self.c2:g}"
            )

    @property
    def named_values(self) -> Mapping[str, Sequence[str]]:
        return {"allowed": self.allowed, "protected": self.protected}

    def in_words(self) -> str:
        alone = PositiveDisclosure(self.c1, self.l, self.allowed, self.column).in_words().rstrip(".")
        return (
            f"{alone}; and at least {self.c2:g} % of every group have each of {', '.join(self.protected)}, "
            "so that nobody is shown not to have it."
        )

    def level(self, classes: Classes) -> float:
        shares = [
            100 * self._fewest(counts) / classes.sizes for counts in classes.about(self.column, self.name)
        ]
        return float(min(share.min(initial=100.0) for share in shares))

    def unmet(self, classes: Classes) -> str:
        """What there is instead, in the worst class."""
        needed = self._positive.level(classes)
        c1 = f"needs c1 above {np.ceil(needed * 1e4 - 1e-9) / 1e4:.12g}"
        if not np.isfinite(needed):
            c1 = f"has too few values for l={self.l}"
        c2 = np.floor(self.level(classes) * 1e4 + 1e-9) / 1e4
        return f"{c1} and has {c2:.12g} % of the rarest protected value; ask for no more"

    def holds(self, classes: Classes) -> Mask:
        about = classes.about(self.column, self.name)
        holds = self._positive.holds(classes)
        for counts in about:
            holds &= 100 * self._fewest(counts) >= self.c2 * classes.sizes * (1 - ROUNDING)
        return holds

    def doomed(self, classes: Classes) -> Floats:
        about = classes.about(self.column, self.name)
        lost = self._positive.doomed(classes)
        for counts in about:
            # All parts that are released add up to a class with that many per cent, and no row comes in.
            room = np.floor(self._fewest(counts) * 100 / self.c2 * (1 + ROUNDING) + 1e-6)
            lost = np.maximum(lost, classes.sizes - room)
        return lost

    def _fewest(self, counts: ValueCounts) -> NDArray[np.int64]:
        """Per class, rows of the protected value that it has the fewest of."""
        fewest = counts.sizes.copy()
        for value in set(self.protected):
            code = counts.domain.values.index(value) if value in counts.domain.values else -1
            own = np.add.reduceat(np.where(counts.values == code, counts.counts, 0), counts.offsets[:-1])
            fewest = np.minimum(fewest, own)
        return fewest

    @property
    def _positive(self) -> PositiveDisclosure:
        return PositiveDisclosure(self.c1, self.l, self.allowed, self.column)
