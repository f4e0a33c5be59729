"""(α,k)-anonymity."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.frequency_bound import Bound
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.confidence_bounding import ConfidenceBounding
from shoal.tables.models.k_anonymity import KAnonymity


@dataclass(frozen=True)
class AlphaKAnonymity(ClassModel[Classes]):
    """Every class has at least k rows, and no listed sensitive value makes up more than a share alpha of it.

    `values` are the ones to protect; without a list all are. Offers the largest share.

    Wong, Li, Fu, Wang, "(α, k)-anonymity: an enhanced k-anonymity model for privacy preserving data
    publishing", 2006.
    """

    name: ClassVar[str] = "alpha-k-anonymity"
    example: ClassVar[str] = "alpha=0.5,k=2"
    asks: ClassVar[Mapping[str, str]] = {
        "alpha": "largest share of a group that one protected value may have: 0.5 is half",
        "k": "rows in the smallest group, at least",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"
    lower_is_better: ClassVar[bool] = True

    alpha: float
    k: int
    values: tuple[str, ...] = ()
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise BadParameter(
                f"{self.name} needs alpha as a share between 0 and 1, not {self.alpha:g}; "
                "for 50 % write alpha=0.5"
            )
        if self.k < 1:
            raise BadParameter(f"{self.name} needs k of at least 1, not {self.k}; 5 is a common choice")

    @property
    def people(self) -> int:
        return self.k

    @property
    def named_values(self) -> Mapping[str, Sequence[str]]:
        return {"values": self.values}

    def in_words(self) -> str:
        return (
            f"Every group has at least {self.k:,} rows, and no guarded value of {self.column or EACH} fits "
            f"more than {per_cent(self.alpha)} of them."
        )

    @property
    def bound(self) -> Bound | None:
        return Bound("share", self.alpha, self.values)

    def level(self, classes: Classes) -> float:
        self._share(classes)
        return self._bound.level(classes)

    def holds(self, classes: Classes) -> Mask:
        self._share(classes)
        return self._size.holds(classes) & self._bound.holds(classes)

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        self._share(classes)
        lost = np.maximum(self._size.doomed(classes), self._bound.doomed(classes))
        # What is left must still fill one class.
        return np.where(classes.sizes - lost < self.k, classes.sizes, lost).astype(np.float64)

    def _share(self, classes: Classes) -> None:
        classes.about(self.column, self.name)  # says what is missing in this model's own name

    @property
    def _size(self) -> KAnonymity:
        return KAnonymity(self.k)

    @property
    def _bound(self) -> ConfidenceBounding:
        return ConfidenceBounding(self.alpha, self.values, self.column)
