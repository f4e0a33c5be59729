"""l-diversity over several sensitive columns at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import AttackKind, ClassModel, Mask, Reads, Scope
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.models.l_diversity import Kind, LDiversity, recursive_unmet


@dataclass(frozen=True)
class MultiAttributeDiversity(ClassModel[Classes]):
    """Every sensitive column is l-diverse even for somebody who knows all the other sensitive columns.

    For each sensitive column in turn, the others count as quasi-identifiers. So ruling out a value of one
    column discloses nothing about another. `kind` and `c` as in l-diversity. With one sensitive column this
    is l-diversity.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
    (multiple sensitive attributes), 2007.
    """

    name: ClassVar[str] = "multi-attribute-diversity"
    example: ClassVar[str] = "l=2"
    asks: ClassVar[Mapping[str, str]] = {
        "l": "different values in each group, at least",
        "kind": "how different values are counted; distinct is the simplest",
        "c": "for the kind recursive only: rarer values times this outweigh the most frequent",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage", "attribute linkage")
    reads: ClassVar[Reads] = "values"
    scope: ClassVar[Scope] = "class"

    l: float  # noqa: E741  the paper's letter
    kind: Kind = "distinct"
    c: float | None = None

    def __post_init__(self) -> None:
        try:
            LDiversity(self.l, self.kind, self.c)
        except BadParameter as error:
            raise BadParameter(str(error).replace(LDiversity.name, self.name)) from None

    def together(self, sensitive: tuple[str, ...]) -> Sequence[tuple[str, ...]]:
        """All sensitive columns as one, so that it is known which values go together."""
        return [sensitive] if len(sensitive) > 1 else []

    def unmet(self, whole: Classes) -> str | None:
        return recursive_unmet(self.level(whole), self.l) if self.kind == "recursive" else None

    def in_words(self) -> str:
        alone = LDiversity(self.l, self.kind, self.c).in_words().rstrip(".")
        return f"{alone}; this is so even among those of a group whose other sensitive values are the same."

    def level(self, classes: Classes) -> float:
        worst = max if self.kind == "recursive" else min
        return float(worst(self._each.level(parts) for parts, _ in self._split(classes)))

    def holds(self, classes: Classes) -> Mask:
        holds = np.ones(len(classes), np.bool_)
        for parts, starts in self._split(classes):
            holds &= np.logical_and.reduceat(self._each.holds(parts), starts)
        return holds

    def doomed(self, classes: Classes) -> NDArray[np.float64]:
        # A part of a class splits as the class does; what goes from each of the pieces adds up.
        lost = np.zeros(len(classes))
        for parts, starts in self._split(classes):
            lost = np.maximum(lost, np.add.reduceat(self._each.doomed(parts), starts))
        return lost

    @property
    def _each(self) -> LDiversity:
        return LDiversity(self.l, self.kind, self.c)

    def _split(self, classes: Classes) -> Iterator[tuple[Classes, NDArray[np.int64]]]:
        """For each sensitive column, the classes cut by the other ones, and where each class begins."""
        own = classes.about(None, self.name)
        if len(own) == 1:
            yield Classes(classes.sizes, {own[0].domain.column: own[0]}), np.arange(len(classes))
            return
        joint = _joint(classes, [counts.domain.column for counts in own])
        for place, column in enumerate(joint.domain.parts):
            yield _cut(joint, place, column)


def _joint(classes: Classes, columns: Sequence[str]) -> ValueCounts:
    """The counts of all sensitive columns as one, in whatever order they were tied together."""
    for name in classes.sensitive:
        counts = classes.sensitive[name]
        if set(counts.domain.parts) == set(columns):
            return counts
    raise BadParameter(
        f"{MultiAttributeDiversity.name} needs {' and '.join(columns)} counted together; "
        "make the classes with domains_of(table, models)"
    )


def _cut(joint: ValueCounts, place: int, column: str) -> tuple[Classes, NDArray[np.int64]]:
    """Classes cut by all sensitive columns but one, with the counts of that one."""
    rows = joint.domain.split
    rests = {rest: code for code, rest in enumerate(dict.fromkeys(_without(row, place) for row in rows))}
    values = {value: code for code, value in enumerate(dict.fromkeys(row[place] for row in rows))}
    rest = np.array([rests[_without(row, place)] for row in rows], np.int64)[joint.values]
    value = np.array([values[row[place]] for row in rows], np.int32)[joint.values]
    number = np.repeat(np.arange(len(joint.offsets) - 1), np.diff(joint.offsets))
    keys = number * len(rests) + rest
    order = np.lexsort((value, keys))
    starts = np.flatnonzero(np.append(True, np.diff(keys[order]) != 0))
    offsets = np.append(starts, len(order)).astype(np.int64)
    # No two counts of a class have both value and rest in common, so there is nothing to add up.
    domain = Domain(column, tuple(values), np.zeros(len(values), np.int64))
    counts = ValueCounts(domain, offsets, value[order], joint.counts[order])
    first = np.searchsorted(number[order][starts], np.arange(len(joint.offsets) - 1))
    return Classes(counts.sizes, {column: counts}), first


def _without(row: tuple[str | None, ...], place: int) -> tuple[str | None, ...]:
    return row[:place] + row[place + 1 :]
