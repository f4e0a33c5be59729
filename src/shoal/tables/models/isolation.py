"""(c,t)-isolation: points in space that stand alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.hierarchies.exact_numbers import number_of
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.text_values import Label

Floats = NDArray[np.float64]
ROUNDING = 1e-9
AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Isolation(ClassModel[Classes]):
    """Around the centre of every class, a ball c times as wide as the class surely holds t rows.

    The numeric quasi-identifiers (or the `columns` named) are the axes, each scaled to the span of the
    release. An attacker who points at the centre of a class is δ away from one of its people, δ at most the
    distance to a corner; the ball of radius c·δ must hold t rows wherever they lie in their ranges. What has
    exact values has δ = 0, and t rows must share them. This checks the released ranges only: it takes δ at
    its largest, and an attacker who points elsewhere, or a person close to the centre, is beyond it.

    Chawla, Dwork, McSherry, Smith, Wee, "Toward privacy in public databases", 2005.
    """

    name: ClassVar[str] = "isolation"
    example: ClassVar[str] = "c=3,t=2,columns=age"
    asks: ClassVar[Mapping[str, str]] = {
        "c": "how much wider the circle is than a guess is off",
        "t": "rows that must lie within that circle",
        "columns": "numeric columns to measure in; open: all quasi-identifiers that are numbers",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "probabilistic")
    reads: ClassVar[Reads] = "sizes"
    scope: ClassVar[Scope] = "table"

    c: float
    t: int
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.c < np.inf:
            raise BadParameter(f"isolation needs c of at least 1, not {self.c:g}; 4 is a choice")
        if self.t < 1:
            raise BadParameter(f"isolation needs t of at least 1, not {self.t}; 5 is a common choice")

    def in_words(self) -> str:
        about = ", ".join(self.columns) or "the columns of numbers"
        return (
            f"Around the middle of a group's ranges of {about}, within {self.c:g} times the reach of the "
            f"group, there are at least {self.t:,} rows."
        )

    def level(self, classes: Classes) -> float:
        return float(self._fewest(classes, np.inf)) if len(classes) else 0.0

    def holds(self, classes: Classes) -> Mask:
        return np.full(len(classes), not len(classes) or self._fewest(classes, self.t) >= self.t)

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # Neighbours come and go with every refinement, so nothing follows for it.
        return np.zeros(len(classes))

    def _fewest(self, classes: Classes, enough: float) -> float:
        """The fewest rows in any ball; stops counting at the first that has not enough."""
        centres, radii, sizes = self._points(classes)
        fewest = float(sizes[sizes >= enough].min(initial=np.inf))
        few = np.flatnonzero(sizes < enough)
        few = few[np.lexsort((sizes[few], radii[few]))]  # what is likely to fail comes first
        step = max(1, AT_ONCE // max(centres.size, 1))
        for first in range(0, len(few), step):
            some = few[first : first + step]
            apart = np.sqrt(((centres[some, None, :] - centres[None, :, :]) ** 2).sum(axis=2))
            inside = apart + radii <= self.c * radii[some, None] + ROUNDING
            fewest = min(fewest, float((inside * sizes).sum(axis=1).min()))
            if fewest < enough and enough < np.inf:
                break
        return fewest

    def _points(self, classes: Classes) -> tuple[Floats, Floats, Floats]:
        """The distinct boxes of the release: centre, distance to a corner, rows."""
        columns = self.columns or tuple(classes.labels)
        lost = [column for column in columns if column not in classes.labels]
        if lost or not classes.names:
            what = f"'{lost[0]}' is none" if lost else "this method does not tell them; use optimal"
            raise BadParameter(f"isolation measures the labels of quasi-identifiers, and {what}")
        codes = np.stack([classes.labels[column] for column in columns], axis=1)
        _, first, box = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        sizes = np.bincount(box.ravel(), weights=classes.sizes).astype(np.float64)
        ends = [self._ends(classes, column)[:, codes[first, place]] for place, column in enumerate(columns)]
        lows, highs = np.stack([low for low, _ in ends], axis=1), np.stack([high for _, high in ends], axis=1)
        return (lows + highs) / 2, np.sqrt((((highs - lows) / 2) ** 2).sum(axis=1)), sizes

    def _ends(self, classes: Classes, column: str) -> Floats:
        """Per label of a column where it begins and ends, as shares of the column's span."""
        used = np.unique(classes.labels[column])
        names = classes.names[column]
        ends = np.zeros((2, len(names)))
        for code in used.tolist():
            found = stretch_of(names[code])
            if found is None:
                raise BadParameter(
                    f"isolation measures distances, and '{column}' has {names[code]!r}; "
                    "name the numeric quasi-identifiers, as in isolation(c=4,t=5,columns=age|zip)"
                )
            ends[:, code] = found
        known = ends[:, used][np.isfinite(ends[:, used])]
        low, high = (known.min(), known.max()) if len(known) else (0.0, 0.0)
        ends = np.clip(ends, low, high)  # open ends, and `*`, reach as far as the release does
        return (ends - low) / (high - low) if high > low else np.zeros_like(ends)


_NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
_BETWEEN = re.compile(rf"[\[(]{_NUMBER}[,;]{_NUMBER}[\])\[]|{_NUMBER}[-–]{_NUMBER}")
_BELOW = re.compile(rf"\s*(?:<|<=|≤){_NUMBER}")
_ABOVE = re.compile(rf"\s*(?:>|>=|≥){_NUMBER}")
_MASK = re.compile(r"(\d+)(\*+)")


def stretch_of(label: Label) -> tuple[float, float] | None:
    """Where a label begins and ends; endless where it does not say, None when it speaks of no numbers."""
    if label is None:
        return None
    if label == "*":
        return (-np.inf, np.inf)
    number = number_of(label)
    if number is not None:
        return (float(number), float(number))
    if found := _MASK.fullmatch(label):
        return (float(found[1] + "0" * len(found[2])), float(found[1] + "9" * len(found[2])))
    if found := _BELOW.fullmatch(label):
        return (-np.inf, float(found[1]))
    if found := _ABOVE.fullmatch(label):
        return (float(found[1]), np.inf)
    if found := _BETWEEN.fullmatch(label):
        low, high = sorted(float(end) for end in found.groups() if end is not None)
        return (low, high)
    return None
