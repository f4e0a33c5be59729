"""(X,Y)-anonymity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.label_subsets import group_by_labels, linked_counts


@dataclass(frozen=True)
class XYAnonymity(ClassModel[Classes]):
    """Each combination of labels in x is linked to at least k different values of y.

    x are quasi-identifiers that an attacker knows, y sensitive columns: one, or several that count as one.

    Wang, Fung, "Anonymizing sequential releases", 2006.
    """

    name: ClassVar[str] = "xy-anonymity"
    example: ClassVar[str] = "x=age,y=ill,k=2"
    asks: ClassVar[Mapping[str, str]] = {
        "x": "quasi-identifiers that an attacker knows",
        "y": "sensitive columns to protect",
        "k": "different values of those, at least",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "table"

    x: tuple[str, ...]
    y: tuple[str, ...]
    k: int

    def __post_init__(self) -> None:
        if not self.x or not self.y:
            raise BadParameter(f"{self.name} needs columns for x and y; write x=job|sex,y=ill")
        if self.k < 1:
            raise BadParameter(f"{self.name} needs k of at least 1, not {self.k}; for example k=3")

    def together(self, sensitive: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
        """The columns of y as one."""
        return [self.y] if len(self.y) > 1 and set(self.y) <= set(sensitive) else []

    @property
    def people(self) -> int:
        return self.k

    def in_words(self) -> str:
        return (
            f"Each combination of {', '.join(self.x)} that occurs goes with at least {self.k:,} different "
            f"values of {', '.join(self.y)}."
        )

    def level(self, classes: Classes) -> float:
        if not len(classes):
            return 0.0
        group, _ = group_by_labels(classes, self.x, self.name).pairs(
            linked_counts(classes, self.y, self.name)
        )
        return float(np.bincount(group).min())

    def holds(self, classes: Classes) -> Mask:
        return np.full(len(classes), not len(classes) or self.level(classes) >= self.k)

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # Finer labels link to fewer values.
        return np.where(self.holds(classes), 0, classes.sizes).astype(np.float64)
