"""Personalised privacy: everybody says how much may be known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import EACH, AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.core.rounded_figures import per_cent
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.text_values import Label

Floats = NDArray[np.float64]
ROUNDING = 1e-12


@dataclass(frozen=True)
class PersonalisedPrivacy(ClassModel[Classes]):
    """Nobody's value is seen to lie under the node they guard with a probability above p.

    Each row's guard column names a node of the sensitive column's taxonomy: a leaf, an inner label or `*`; a
    missing guard guards nothing. In every class, for every guard that occurs there, the share of rows whose
    value lies under it is at most p. The guards are counted and never released: a guard tells of the value.

    Xiao, Tao, "Personalized privacy preservation", 2006.
    """

    name: ClassVar[str] = "personalised-privacy"
    example: ClassVar[str] = "p=0.5,guard=ill"
    asks: ClassVar[Mapping[str, str]] = {
        "p": "how sure a guess may be, as a share",
        "guard": "the column in which each row says what it wants hidden",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("attribute linkage",)
    question: ClassVar[str] = "Do some people want more protection than others?"
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"
    lower_is_better: ClassVar[bool] = True

    p: float
    guard: str
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.p <= 1:
            raise BadParameter(f"personalised-privacy needs p above 0 and up to 1, not {self.p:g}; try 0.5")

    @property
    def held(self) -> tuple[str, ...]:
        """The columns that it counts and that must not leave the house."""
        return (self.guard,)

    def together(self, sensitive: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        return tuple((self.guard, column) for column in sensitive if self.column in (None, column))

    def in_words(self) -> str:
        return (
            f"In no group is it more than {per_cent(self.p)} certain that somebody's value of "
            f"{self.column or EACH} is of the kind that they asked to keep secret (column {self.guard})."
        )

    def level(self, classes: Classes) -> float:
        return float(self._worst(classes).max(initial=0.0))

    def holds(self, classes: Classes) -> Mask:
        return self._worst(classes) <= self.p + ROUNDING

    def doomed(self, classes: Classes) -> Floats:
        # A released part that holds people under their own guard g has at most p / (1 - p) rows under g for
        # each row that is not. The class has only so many of those, so only so many guarded can go out.
        lost = np.zeros(len(classes))
        if self.p == 1:
            return lost
        for counts in classes.about(self.column, self.name):
            joint = classes.jointly((self.guard, counts.domain.column))
            for guard, under in self._guards(counts, joint).items():
                own = np.array([one == guard for one, _ in joint.domain.split])
                inside = np.array([under[_place(counts, value)] for _, value in joint.domain.split])
                guarded = _rows(joint, own & inside)
                free = classes.sizes - _rows(counts, under)
                lost = np.maximum(lost, guarded - np.floor(self.p / (1 - self.p) * free + 1e-6))
        return np.where(self.holds(classes), 0.0, lost)

    def _worst(self, classes: Classes) -> Floats:
        worst = np.zeros(len(classes))
        for counts in classes.about(self.column, self.name):
            joint = classes.jointly((self.guard, counts.domain.column))
            for guard, under in self._guards(counts, joint).items():
                there = _rows(joint, np.array([one == guard for one, _ in joint.domain.split])) > 0
                worst = np.maximum(worst, np.where(there, _rows(counts, under) / counts.sizes, 0.0))
        return worst

    def _guards(self, counts: ValueCounts, joint: ValueCounts) -> dict[str, Mask]:
        """Every guard that somebody names, and per sensitive value whether it lies under it."""
        column, taxonomy = counts.domain.column, counts.domain.taxonomy
        if taxonomy is None:
            raise BadParameter(
                f"personalised-privacy needs a taxonomy of '{column}'; give --hierarchy {column}=FILE.csv"
            )
        return {
            guard: _under(guard, taxonomy, column)
            for guard in sorted({one for one, _ in joint.domain.split if one is not None})
        }


def _under(guard: str, taxonomy: Hierarchy, column: str) -> Mask:
    """The leaves below a node; one that keeps its name on several levels is the highest of them."""
    for names, codes in zip(reversed(taxonomy.names), reversed(taxonomy.codes), strict=True):
        if guard in names:
            return np.asarray(codes == names.index(guard))
    raise BadParameter(
        f"the guard {guard!r} is no node of the hierarchy of '{column}'; correct it or leave it empty"
    )


def _place(counts: ValueCounts, value: Label) -> int:
    taxonomy = counts.domain.taxonomy
    assert taxonomy is not None
    return taxonomy.position(value)


def _rows(counts: ValueCounts, chosen: Mask) -> NDArray[np.int64]:
    """Rows of each class that have one of the chosen values."""
    return np.add.reduceat(np.where(chosen[counts.values], counts.counts, 0), counts.offsets[:-1])
