"""(k,e)-anonymity."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_numbers import distinct, numbers, ranges


@dataclass(frozen=True)
class KEAnonymity(ClassModel[Classes]):
    """Every class has at least k different sensitive numbers, and they span at least e.

    Offers the smallest range. It says nothing of how the numbers are spread inside it.

    Zhang, Koudas, Srivastava, Yu, "Aggregate query answering on anonymized tables", 2007.
    """

    name: ClassVar[str] = "k-e-anonymity"
    example: ClassVar[str] = "k=2,e=1"
    asks: ClassVar[Mapping[str, str]] = {
        "k": "different numbers in each group, at least",
        "e": "how far apart the smallest and largest must be",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage",)
    question: ClassVar[str] = (
        "Is the secret a number, such as an income, where near values are as bad as equal ones?"
    )
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"

    k: int
    e: float
    column: str | None = None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadParameter(f"{self.name} needs k of at least 1, not {self.k}; 5 is a common choice")
        if not 0 <= self.e < np.inf:
            raise BadParameter(
                f"{self.name} needs a range e of at least 0, not {self.e:g}; "
                "give it in the unit of the column, such as e=1000 for pay"
            )

    @property
    def people(self) -> int:
        return self.k

    def in_words(self) -> str:
        return (
            f"Every group has at least {self.k:,} different numbers of {self.column or EACH}, the smallest "
            f"and the largest at least {self.e:g} apart."
        )

    def level(self, classes: Classes) -> float:
        if not len(classes):
            return 0.0
        about = classes.about(self.column, self.name)
        return float(min(ranges(counts, numbers(counts.domain, self.name)).min() for counts in about))

    def unmet(self, classes: Classes) -> str:
        """What there is instead, in the worst class."""
        about = classes.about(self.column, self.name)
        fewest = min(distinct(counts, numbers(counts.domain, self.name)).min() for counts in about)
        return f"has {fewest:,} different numbers over {self.level(classes):.12g}; ask for no more than that"

    def holds(self, classes: Classes) -> Mask:
        holds = np.ones(len(classes), np.bool_)
        for counts in classes.about(self.column, self.name):
            values = numbers(counts.domain, self.name)
            # 0.3 - 0.1 comes out below 0.2: what is e in the decimals that were written is enough.
            slack = 1e-12 * (np.abs(values).max(initial=0.0) + self.e)
            holds &= (distinct(counts, values) >= self.k) & (ranges(counts, values) >= self.e - slack)
        return holds

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # A part has no more numbers than its class, and no wider range.
        return np.where(self.holds(classes), 0, classes.sizes).astype(np.float64)
