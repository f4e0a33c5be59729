"""Leaves in a line, so that whatever a label covers lies side by side."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.tables.hierarchies.exact_numbers import number_of
from shoal.tables.hierarchies.hierarchy import Hierarchy
from shoal.tables.model_inputs.text_values import Label

Int32 = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class LeafOrder:
    """A hierarchy with its leaves in a line: numbers by size where the hierarchy allows it, else branch by
    branch.

    Every label of the hierarchy covers a stretch of the line. On a line of numbers any stretch has a name.
    """

    hierarchy: Hierarchy
    leaf_at: Int32  # the leaf at each place
    numbers: int  # how many places from the first hold numbers in order of size; 0 on a line of branches

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> LeafOrder:
        """The line of a hierarchy's leaves."""
        numbers = [None if leaf is None else number_of(leaf) for leaf in hierarchy.leaves]
        known = sorted((number, leaf) for leaf, number in enumerate(numbers) if number is not None)
        # What is no number (a missing value, a mark such as ?) stands at the end and in no range.
        others = [leaf for leaf, number in enumerate(numbers) if number is None]
        by_size = np.array([*(leaf for _, leaf in known), *others], np.int32)
        if len(known) > 1 and all(_side_by_side(level[by_size]) for level in hierarchy.codes[1:]):
            return cls(hierarchy, by_size, len(known))
        return cls.of_branches(hierarchy)

    @classmethod
    def of_branches(cls, hierarchy: Hierarchy) -> LeafOrder:
        """The line of a hierarchy's leaves, branch by branch: no stretch is a range."""
        return cls(hierarchy, np.lexsort(hierarchy.codes).astype(np.int32), 0)

    @cached_property
    def place_of(self) -> Int32:
        """The place of each leaf."""
        place = np.empty(len(self.leaf_at), np.int32)
        place[self.leaf_at] = np.arange(len(self.leaf_at), dtype=np.int32)
        return place

    @cached_property
    def codes(self) -> Int32:
        """`codes[level, place]`: as the hierarchy's, along the line."""
        return np.ascontiguousarray(self.hierarchy.codes[:, self.leaf_at])

    def level_over(self, first: Int32, last: Int32) -> NDArray[np.int64]:
        """For stretches of the line the lowest level on which one label covers each."""
        level = np.full(len(first), self.hierarchy.height, np.int64)
        for height in range(self.hierarchy.height - 1, -1, -1):
            # Labels lie side by side, so equal ends mean one label throughout.
            level[self.codes[height, first] == self.codes[height, last]] = height
        return level

    def names_over(self, first: Int32, last: Int32) -> list[Label]:
        """What stretches are called: the value itself, a range of numbers, or the label that covers all."""
        levels = self.level_over(first, last).tolist()
        names: list[Label] = []
        for low, high, level in zip(first.tolist(), last.tolist(), levels, strict=True):
            if low == high or high >= self.numbers:
                names.append(self.hierarchy.names[level][self.codes[level, low]])
            else:
                ends = [self.hierarchy.leaves[self.leaf_at[place]] for place in (low, high)]
                names.append(f"[{ends[0]}, {ends[1]}]")
        return names

    def stretch_of(self, label: Label) -> tuple[int, int] | None:
        """The first and last place that a label covers: a label of the hierarchy or a range such as [17,
        25].
        """
        known = self._stretches.get(label)
        found = None if known is not None or label is None else _RANGE.fullmatch(label)
        if found is None:
            return known
        low, high = number_of(found[1]), number_of(found[2])
        values = self._values
        if low is None or high is None or not values:
            return None
        first, last = bisect_left(values, low), bisect_right(values, high) - 1
        return (first, last) if first <= last else None

    @cached_property
    def _values(self) -> list[Decimal]:
        found = (number_of(self.hierarchy.leaves[leaf] or "") for leaf in self.leaf_at[: self.numbers])
        return [value for value in found if value is not None]

    @cached_property
    def _stretches(self) -> dict[Label, tuple[int, int]]:
        """Every label of the hierarchy; one that stands on several levels counts on the lowest."""
        stretches: dict[Label, tuple[int, int]] = {}
        for names, codes in zip(self.hierarchy.names, self.codes, strict=True):
            places = np.arange(len(codes))
            first = np.full(len(names), len(codes))
            np.minimum.at(first, codes, places)
            last = np.zeros(len(names), np.int64)
            np.maximum.at(last, codes, places)
            for code, name in enumerate(names):
                stretches.setdefault(name, (int(first[code]), int(last[code])))
        return stretches


_RANGE = re.compile(r"\[(.+), (.+)\]")


def _side_by_side(codes: Int32) -> bool:
    return int(np.count_nonzero(np.diff(codes))) + 1 == len(np.unique(codes))
