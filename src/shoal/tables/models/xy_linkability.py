"""(X,Y)-linkability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.label_subsets import group_by_labels, linked_counts
from shoal.tables.model_inputs.share_limits import ROUNDING


@dataclass(frozen=True)
class XYLinkability(ClassModel[Classes]):
    """From no combination of labels in x can a value of y be inferred with a confidence above h.

    x are quasi-identifiers that an attacker knows, y sensitive columns: one, or several that count as one.

    Wang, Fung, "Anonymizing sequential releases", 2006.
    """

    name: ClassVar[str] = "xy-linkability"
    example: ClassVar[str] = "x=age,y=ill,h=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "x": "quasi-identifiers that an attacker knows",
        "y": "sensitive columns to protect",
        "h": "how sure a guess may be, as a share",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage",)
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "table"
    lower_is_better: ClassVar[bool] = True

    x: tuple[str, ...]
    y: tuple[str, ...]
    h: float

    def __post_init__(self) -> None:
        if not self.x or not self.y:
            raise BadParameter(f"{self.name} needs columns for x and y; write x=job|sex,y=ill")
        if not 0 < self.h <= 1:
            raise BadParameter(
                f"{self.name} needs h as a share above 0 and up to 1, not {self.h:g}; for 50 % write h=0.5"
            )

    def together(self, sensitive: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
        """The columns of y as one."""
        return [self.y] if len(self.y) > 1 and set(self.y) <= set(sensitive) else []

    def in_words(self) -> str:
        return (
            f"From {', '.join(self.x)} nobody can infer the value of {', '.join(self.y)} and be right more "
            f"often than {per_cent(self.h)} of the time."
        )

    def level(self, classes: Classes) -> float:
        groups = group_by_labels(classes, self.x, self.name)
        group, rows = groups.pairs(linked_counts(classes, self.y, self.name))
        return float((rows / groups.sizes(classes)[group]).max(initial=0.0))

    def holds(self, classes: Classes) -> Mask:
        return np.full(len(classes), self.level(classes) <= self.h * (1 + ROUNDING))

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # Finer labels cut a group into pieces, and in one of them the share is no lower.
        return np.where(self.holds(classes), 0, classes.sizes).astype(np.float64)
