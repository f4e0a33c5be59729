"""The tree of one column as a cut walks down it: what a label splits into, and what the split is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.tables.hierarchies import TOP
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import Label

Floats = NDArray[np.float64]
Int32 = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Split:
    """A label's stretch of the line of leaves, the stretches of its children, and what parting them gains.

    `gain` is the information gain on the classes, in bits; `kept` is how far the column's loss drops.
    """

    first: int
    last: int
    starts: Int32
    ends: Int32
    gain: float
    kept: float


@dataclass(frozen=True, eq=False)
class Tree:
    """A column with its leaves in a line: branches of its hierarchy, or halves of numbers grown on demand.

    `counts[place, class]` are the rows of each leaf and class; one class when there is no class column.
    A half of numbers has at least `least` rows, because fewer can never be released. `weighted` counts a gain
    by the share of the rows that have it, so that a few rows told apart well do not come before many.
    """

    order: LeafOrder
    grows: bool
    counts: Floats
    least: int = 1
    weighted: bool = False

    @cached_property
    def upto(self) -> Floats:
        """Rows of each class before each place, so that a stretch costs one subtraction."""
        return np.concatenate((np.zeros((1, self.counts.shape[1])), np.cumsum(self.counts, axis=0)))

    def split(self, first: int, last: int) -> Split | None:
        """The children that occur and their worth; None for a leaf, and for numbers too few to part."""
        if first == last:
            return None
        starts = self._halves(first, last) if self.grows else self._branches(first, last)
        if starts is None:
            return None
        ends = np.append(starts[1:] - 1, last)
        parts = self.upto[ends + 1] - self.upto[starts]
        there = parts.sum(axis=1) > 0
        starts, ends, parts = starts[there], ends[there], parts[there]
        freed = (last - first) - (ends - starts)  # leaves that a row is no longer taken for
        kept = float((parts.sum(axis=1) * freed).sum()) / (self.counts.sum() * (len(self.counts) - 1))
        gain = information_gain(parts) * (parts.sum() / self.counts.sum() if self.weighted else 1.0)
        return Split(first, last, starts.astype(np.int32), ends.astype(np.int32), gain, kept)

    def _branches(self, first: int, last: int) -> Int32:
        """Where the children begin: the labels on the highest level that tells some of the leaves apart."""
        for codes in self.order.codes[::-1]:
            steps = np.flatnonzero(np.diff(codes[first : last + 1]))
            if len(steps):
                return np.concatenate(([first], first + 1 + steps)).astype(np.int32)
        raise AssertionError("two leaves of a hierarchy differ on level 0")

    def _halves(self, first: int, last: int) -> Int32 | None:
        """Where the two halves of the numbers begin, and then every value that is no number."""
        numbers = self.order.numbers
        end = min(last, numbers - 1)
        others = np.arange(max(first, numbers), last + 1, dtype=np.int32)
        cut = self._best_cut(first, end)
        if cut is None and not len(others):
            return None
        halves = [first] if cut is None else [first, cut]
        return np.concatenate((halves, others)).astype(np.int32)

    def _best_cut(self, first: int, end: int) -> int | None:
        """The first place of the right half: the most information gain, then the most information kept."""
        before = self.upto[first + 1 : end + 1] - self.upto[first]
        after = self.upto[end + 1] - self.upto[first + 1 : end + 1]
        left, right = before.sum(axis=1), after.sum(axis=1)
        enough = np.flatnonzero((left >= self.least) & (right >= self.least))
        if not len(enough):
            return None
        mixed = _bits(before[enough]) + _bits(after[enough])
        best = enough[mixed <= mixed.min() + 1e-9 * (left[0] + right[0])]
        width = np.arange(end - first)  # leaves but one of the left half
        spread = left[best] * width[best] + right[best] * (end - first - 1 - width[best])
        return first + 1 + int(best[np.argmin(spread)])

    def names(self, first: Int32, last: Int32) -> list[Label]:
        """What stretches of a cut are called: a range for grown numbers, else the hierarchy's lowest
        label.
        """
        hierarchy, codes = self.order.hierarchy, self.order.codes
        if not self.grows:
            levels = self.order.level_over(first, last)
            return [
                hierarchy.names[level][codes[level, low]] for level, low in zip(levels, first, strict=True)
            ]
        whole = (first == 0) & (last == len(self.counts) - 1)
        # The ends of all numbers together are the least and the largest person's own.
        return [
            TOP if top else name for top, name in zip(whole, self.order.names_over(first, last), strict=True)
        ]


def information_gain(parts: Floats) -> float:
    """E(T[v]) − Σ_c |T[c]|/|T[v]|·E(T[c]) in bits, from the rows of each child and class."""
    whole = parts.sum(axis=0, keepdims=True)
    gain = float((_bits(whole).sum() - _bits(parts).sum()) / whole.sum())
    return gain if gain > 1e-12 else 0.0  # what is left of equal terms after subtracting is no gain


def _bits(parts: Floats) -> Floats:
    """Rows × entropy of each part."""
    sizes = parts.sum(axis=1)
    inner = (parts * np.log2(np.maximum(parts, 1))).sum(axis=1)
    return np.asarray(sizes * np.log2(np.maximum(sizes, 1)) - inner)
