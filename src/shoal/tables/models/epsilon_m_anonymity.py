"""(ε,m)-anonymity."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.rounded_figures import per_cent
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.sensitive_numbers import distinct, numbers, ranges

Floats = NDArray[np.float64]
Deviation = Literal["absolute", "relative"]
DEVIATIONS = ("absolute", "relative")

ROUNDING = 1e-12


@dataclass(frozen=True)
class EpsilonMAnonymity(ClassModel[Classes]):
    """At most 1/m of the rows of a class lie within ± epsilon of any of its sensitive numbers.

    `absolute`: epsilon in the unit of the column. `relative`: as a share of the number itself.
    Offers the largest m. Against proximity: ten different salaries around 30,000 are one salary.

    Li, Tao, Xiao, "Preservation of proximity privacy in publishing numerical sensitive data", 2008.
    """

    name: ClassVar[str] = "epsilon-m-anonymity"
    example: ClassVar[str] = "epsilon=0.5,m=2"
    asks: ClassVar[Mapping[str, str]] = {
        "epsilon": "numbers this close count as equal",
        "m": "at most one row in m may be that close",
        "deviation": "absolute: in the unit of the column; relative: as a share of the number",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage",)
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"

    epsilon: float
    m: int
    deviation: Deviation = "absolute"
    column: str | None = None

    def __post_init__(self) -> None:
        if self.deviation not in DEVIATIONS:
            raise BadParameter(
                f"{self.name} knows the deviations {', '.join(DEVIATIONS)}, not '{self.deviation}'"
            )
        if not 0 <= self.epsilon < np.inf:
            raise BadParameter(
                f"{self.name} needs an epsilon of at least 0, not {self.epsilon:g}; "
                "give it in the unit of the column, such as epsilon=1000 for pay"
            )
        if self.m < 1:
            raise BadParameter(f"{self.name} needs m of at least 1, not {self.m}; 2 means at most a half")

    def in_words(self) -> str:
        near = f"{self.epsilon:g}" if self.deviation == "absolute" else f"{per_cent(self.epsilon)} of it"
        return (
            f"In every group, at most 1 row in {self.m:,} has a number of {self.column or EACH} within "
            f"{near} of any one number there."
        )

    def level(self, classes: Classes) -> float:
        if not len(classes):
            return 0.0
        about = classes.about(self.column, self.name)
        return float(min((classes.sizes / self._closest(counts)).min() for counts in about))

    def holds(self, classes: Classes) -> Mask:
        holds = np.ones(len(classes), np.bool_)
        for counts in classes.about(self.column, self.name):
            holds &= self._closest(counts) * self.m <= classes.sizes
        return holds

    def doomed(self, classes: Classes) -> Floats:
        # Two classes that hold can fail together: a number of the first may lie between two clusters of the
        # second. So a failing class may well have parts that hold, unless there is no room for m
        # neighbourhoods at all: m numbers of which each is more than epsilon above the one before.
        hopeless = np.zeros(len(classes), np.bool_)
        for counts in classes.about(self.column, self.name):
            values = numbers(counts.domain, self.name)
            hopeless |= distinct(counts, values) < self.m
            if self.deviation == "absolute" and self.m > 1:
                hopeless |= ranges(counts, values) < (self.m - 1) * self.epsilon * (1 - 1e-9)
        return np.where(hopeless, classes.sizes, 0).astype(np.float64)

    def _closest(self, counts: ValueCounts) -> NDArray[np.int64]:
        """Per class, rows in the fullest neighbourhood of one of its numbers."""
        steps, rank_of = np.unique(numbers(counts.domain, self.name), return_inverse=True)
        reach = self.epsilon * (np.abs(steps) if self.deviation == "relative" else 1.0)
        # 0.7 + 0.1 comes out below 0.8: what is epsilon away in the decimals that were written counts.
        reach = reach + ROUNDING * (np.abs(steps) + reach)
        first = np.searchsorted(steps, steps - reach, "left")
        last = np.searchsorted(steps, steps + reach, "right")
        # Ranks below, whole numbers and exact: key = class, then rank.
        width, rank = len(steps) + 1, rank_of[counts.values]
        begin = np.repeat(np.arange(len(counts.offsets) - 1) * width, np.diff(counts.offsets))
        order = np.argsort(begin + rank, kind="stable")
        keys, upto = (begin + rank)[order], np.append(0, np.cumsum(counts.counts[order]))
        low = np.searchsorted(keys, begin + first[rank], "left")
        high = np.searchsorted(keys, begin + last[rank], "left")
        return np.maximum.reduceat(upto[high] - upto[low], counts.offsets[:-1])
