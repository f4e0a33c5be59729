"""Intervals grown at run time: the best binary split, again and again.

With a class column the best split is the one with the highest information gain, as top-down specialisation
(Fung, Wang and Yu 2005) treats numbers; without, the one after which values are known most closely.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies.exact_numbers import Number, numbers_of
from shoal.tables.hierarchies.flat import flat
from shoal.tables.hierarchies.hierarchy import Hierarchy, Label
from shoal.tables.hierarchies.intervals import of_cuts
from shoal.tables.hierarchies.leaves import distinct

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def grown(values: Sequence[Label], target: Sequence[Label] | None = None, depth: int = 4) -> Hierarchy:
    """A binary tree of intervals, `depth` splits high, over all rows of a column (repeats weigh in).

    `target` is the class of every row. What is equally good for the classes is decided by information kept.
    """
    if depth < 1:
        raise BadParameter(f"depth={depth} leaves no interval; give at least 1")
    if target is not None and len(target) != len(values):
        raise BadParameter(f"{len(target)} classes for {len(values)} values; give the class of every row")
    leaves = distinct(values)
    of_leaf = dict(zip(leaves, numbers_of(leaves), strict=True))
    points = sorted(set(of_leaf.values()))
    place = {point: index for index, point in enumerate(points)}
    at: dict[Label, int] = {leaf: place[number] for leaf, number in of_leaf.items()}
    # The missing value lies in no interval, so its rows cannot speak for a split.
    known = [row for row, value in enumerate(values) if value is not None]
    rows = np.array([at[values[row]] for row in known], np.int64)
    order = np.argsort(rows, kind="stable")
    number: dict[Label, int] = {}
    classes = [0 if target is None else number.setdefault(target[row], len(number)) for row in known]
    cuts = _cuts(rows[order], np.array(classes, np.int64)[order], np.array(points, np.float64), depth)
    lists: list[list[Number]] = [[points[cut] for cut in level] for level in cuts]
    return of_cuts(leaves, lists) if lists else flat(leaves)


def _cuts(rows: Ints, classes: Ints, points: Floats, depth: int) -> list[list[int]]:
    """The cuts of every level, finest first; a cut is the place of the first value to its right."""
    levels: list[list[int]] = []
    parts, found = [(0, len(rows))], list[int]()
    for _ in range(depth):
        halves = []
        for start, end in parts:
            middle = _best_split(rows[start:end], classes[start:end], points)
            if middle:
                found.append(int(rows[start + middle]))
                halves += [(start, start + middle), (start + middle, end)]
        if not halves:
            break
        levels.insert(0, sorted(found))
        parts = halves
    return levels


def _best_split(rows: Ints, classes: Ints, points: Floats) -> int:
    """Where the right half begins, or 0 when all rows have the same value."""
    ends = np.flatnonzero(rows[:-1] != rows[1:])  # the last row of every possible left half
    if not len(ends):
        return 0
    gain = _gain(classes)[ends]
    best = ends[gain >= gain.max() - 1e-9 * max(1.0, len(rows))]
    left = (best + 1) * (points[rows[best]] - points[rows[0]])
    right = (len(rows) - best - 1) * (points[rows[-1]] - points[rows[best + 1]])
    return int(best[np.argmin(left + right)]) + 1


def _gain(classes: Ints) -> Floats:
    """Rows × information gain when the left half ends at each row, up to a constant."""
    many = len(classes)
    order = np.argsort(classes, kind="stable")
    of_order = classes[order]
    first = np.searchsorted(of_order, of_order)
    total = np.searchsorted(of_order, of_order, side="right") - first
    seen, all_of_class = np.empty(many, np.int64), np.empty(many, np.int64)
    seen[order] = np.arange(1, many + 1) - first  # of the row's class, so many stand up to here
    all_of_class[order] = total
    # Moving one row to the left changes only its own class: Σ n log n is a running sum.
    left = np.cumsum(_n_log_n(seen) - _n_log_n(seen - 1))
    right_change = _n_log_n(all_of_class - seen) - _n_log_n(all_of_class - seen + 1)
    right = np.cumsum(right_change)
    size = np.arange(1, many + 1)
    gain: Floats = left + right - _n_log_n(size) - _n_log_n(many - size)
    return gain


def _n_log_n(count: Ints) -> Floats:
    n: Floats = count.astype(np.float64)
    return n * np.log2(np.maximum(n, 1))
