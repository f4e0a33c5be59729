"""A hierarchy from every value of a column to `*`, as one small `level × leaf` array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadHierarchy

TOP = "*"
Label = str | None  # None is the missing value, a value of its own


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """For every leaf its label on each level: level 0 is the value itself, the last level is `*` for all.

    `names[level]` are the labels in use on a level, `codes[level, leaf]` says which of them a leaf has.
    """

    names: tuple[tuple[Label, ...], ...]
    codes: NDArray[np.int32]
    whole: Hierarchy | None = None  # the hierarchy that this is the upper part of

    @classmethod
    def of_levels(cls, levels: Sequence[Sequence[Label]], lines: Sequence[int] | None = None) -> Hierarchy:
        """Build from label lists, one per level, each as long as the first; `*` is put on top if missing.

        `lines[leaf]` is the line of a file that a leaf came from, for messages.
        """
        full = [list(level) for level in levels]
        if not full or not full[0]:
            raise BadHierarchy("the hierarchy has no values; give one line per value")
        for height, labels in enumerate(full):
            if len(labels) != len(full[0]):
                raise BadHierarchy(
                    f"level {height} has {len(labels)} labels for {len(full[0])} values; give each one"
                )
        # The value `*` alone still needs a level above it: level 0 is always the value itself.
        if len(full) == 1 or any(label != TOP for label in full[-1]):
            full.append([TOP] * len(full[0]))
        names: list[tuple[Label, ...]] = []
        codes = np.empty((len(full), len(full[0])), np.int32)
        for height, labels in enumerate(full):
            index = {label: code for code, label in enumerate(dict.fromkeys(labels))}
            codes[height] = np.fromiter(map(index.__getitem__, labels), np.int32, len(labels))
            names.append(tuple(index))
        hierarchy = cls(tuple(names), codes)
        hierarchy._refuse_twice(lines)
        for level in range(1, len(names)):
            hierarchy._refuse_two_parents(level, lines)
        return hierarchy

    def _refuse_twice(self, lines: Sequence[int] | None) -> None:
        if len(self.names[0]) == self.codes.shape[1]:
            return
        seen: dict[int, int] = {}
        for leaf, code in enumerate(self.codes[0].tolist()):
            first = seen.setdefault(code, leaf)
            if first != leaf:
                where = "" if lines is None else f" (lines {lines[first]} and {lines[leaf]})"
                raise BadHierarchy(
                    f"the value {self.names[0][code]!r} stands twice in the hierarchy{where}; "
                    "keep one line per value"
                )

    def _refuse_two_parents(self, level: int, lines: Sequence[int] | None) -> None:
        below, here = self.codes[level - 1], self.codes[level]
        first = np.empty(len(self.names[level - 1]), np.int64)
        first[below[::-1]] = np.arange(len(below))[::-1]  # the last write wins: the first leaf of each label
        wrong = np.flatnonzero(here[first[below]] != here)
        if not len(wrong):
            return

        def parent(leaf: int) -> str:
            where = "" if lines is None else f" (line {lines[leaf]})"
            return f"{self.names[level][here[leaf]]!r}{where}"

        leaf = int(wrong[0])
        raise BadHierarchy(
            f"level {level} is not a refinement: {self.names[level - 1][below[leaf]]!r} becomes "
            f"{parent(int(first[below[leaf]]))} and {parent(leaf)}; give it one parent"
        )

    @property
    def leaves(self) -> tuple[Label, ...]:
        """The values themselves."""
        return self.names[0]

    @property
    def height(self) -> int:
        """The highest level; level 0 is the value itself."""
        return len(self.names) - 1

    @cached_property
    def covered(self) -> NDArray[np.int64]:
        """How many leaves the label of a leaf covers, per level and leaf."""
        covered = np.empty(self.codes.shape, np.int64)
        for level, codes in enumerate(self.codes):
            covered[level] = np.bincount(codes)[codes]
        return covered

    def label(self, value: Label, level: int) -> Label:
        """The label of one value on one level."""
        return self.names[level][int(self.codes[level, self._index[value]])]

    @cached_property
    def _index(self) -> dict[Label, int]:
        return {value: leaf for leaf, value in enumerate(self.leaves)}

    def missing(self, values: Sequence[Label]) -> list[Label]:
        """The values that the hierarchy does not know."""
        return [value for value in values if value not in self._index]

    def position(self, value: Label) -> int:
        """The index of a leaf."""
        return self._index[value]

    def levels(self) -> list[list[Label]]:
        """The label of every leaf, level by level."""
        return [
            [names[code] for code in codes.tolist()]
            for names, codes in zip(self.names, self.codes, strict=True)
        ]

    def with_alone(self, values: Sequence[Label]) -> Hierarchy:
        """The same hierarchy with more leaves, each of which stays itself up to `*`."""
        new = list(dict.fromkeys(self.missing(values)))
        if not new:
            return self
        *below, top = self.levels()
        return Hierarchy.of_levels([*(level + new for level in below), top + [TOP] * len(new)])

    def with_missing_value(self) -> Hierarchy:
        """The same hierarchy with the missing value as one more leaf that stays itself up to `*`."""
        return self.with_alone([None])

    def above(self, level: int) -> Hierarchy:
        """The part of the hierarchy from a level on: its labels become the values."""
        _, first = np.unique(self.codes[level], return_index=True)
        return Hierarchy.of_levels([[labels[leaf] for leaf in first] for labels in self.levels()[level:]])

    def level_of(self, labels: Iterable[Label]) -> int | None:
        """The lowest level that knows all these labels; None when there is none."""
        wanted = set(labels)
        for level, names in enumerate(self.names):
            if wanted <= set(names):
                return level
        return None
