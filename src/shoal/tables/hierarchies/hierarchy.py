"""A ladder from every value of a column to `*`, as one small `level × leaf` array."""

from __future__ import annotations

from collections.abc import Sequence
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

    @classmethod
    def of_levels(cls, levels: Sequence[Sequence[Label]], lines: Sequence[int] | None = None) -> Hierarchy:
        """Build from label lists, one per level, each as long as the first; `*` is put on top if missing.

        `lines[leaf]` is the line of a file that a leaf came from, for messages.
        """
        ladder = [list(level) for level in levels]
        if not ladder or not ladder[0]:
            raise BadHierarchy("the hierarchy has no values; give one line per value")
        if len(set(ladder[-1])) > 1 or ladder[-1][0] != TOP:
            ladder.append([TOP] * len(ladder[0]))
        if len(ladder) == 1:  # the only value is `*` itself
            ladder.append([TOP])
        names: list[tuple[Label, ...]] = []
        codes = np.empty((len(ladder), len(ladder[0])), np.int32)
        for height, labels in enumerate(ladder):
            index: dict[Label, int] = {}
            for leaf, label in enumerate(labels):
                codes[height, leaf] = index.setdefault(label, len(index))
            names.append(tuple(index))
        hierarchy = cls(tuple(names), codes)
        hierarchy._refuse_if_bad(lines)
        return hierarchy

    def _refuse_if_bad(self, lines: Sequence[int] | None) -> None:
        where = (lambda leaf: f" (line {lines[leaf]})") if lines is not None else (lambda leaf: "")
        if len(self.names[0]) != self.codes.shape[1]:
            first: dict[int, int] = {}
            for leaf, code in enumerate(self.codes[0].tolist()):
                if code in first:
                    raise BadHierarchy(
                        f"the value {self.names[0][code]!r} stands twice in the hierarchy{where(leaf)}; "
                        "keep one line per value"
                    )
                first[code] = leaf
        for level in range(1, len(self.names)):
            parent: dict[int, tuple[int, int]] = {}
            below, here = self.codes[level - 1].tolist(), self.codes[level].tolist()
            for leaf, (child, code) in enumerate(zip(below, here, strict=True)):
                known = parent.setdefault(child, (code, leaf))
                if known[0] != code:
                    raise BadHierarchy(
                        f"level {level} is not a refinement: {self.names[level - 1][child]!r} becomes "
                        f"{self.names[level][known[0]]!r}{where(known[1])} and {self.names[level][code]!r}"
                        f"{where(leaf)}; give it one parent"
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
        return self.names[level][self.codes[level, self._index[value]]]

    @cached_property
    def _index(self) -> dict[Label, int]:
        return {value: leaf for leaf, value in enumerate(self.leaves)}

    def missing(self, values: Sequence[Label]) -> list[Label]:
        """The values that the ladder does not know."""
        return [value for value in values if value not in self._index]

    def position(self, value: Label) -> int:
        """The index of a leaf."""
        return self._index[value]

    def with_missing_value(self) -> Hierarchy:
        """The same ladder with the missing value as one more leaf that stays itself up to `*`."""
        if None in self._index:
            return self
        levels: list[list[Label]] = [[self.names[h][c] for c in codes] for h, codes in enumerate(self.codes)]
        for level in levels[:-1]:
            level.append(None)
        levels[-1].append(TOP)
        return Hierarchy.of_levels(levels)
