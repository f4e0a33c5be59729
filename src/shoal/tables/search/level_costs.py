"""What the levels of a lattice cost under a cell loss."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.search import node_kernels as kernels
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice, Node, NodeClasses

Floats = NDArray[np.float64]


class Prices:
    """Per column and level the cost of all its cells, as a share of the cost if every row were suppressed."""

    def __init__(self, tuples: Tuples, guide: CellLoss) -> None:
        kept, lost, counts = [], [], tuples.leaf_counts
        for column, (hierarchy, leaves) in enumerate(zip(tuples.hierarchies, counts, strict=True)):
            kept.append(guide.weight_of(column) * guide.released(hierarchy, leaves))
            lost.append(guide.weight_of(column) * guide.suppressed(leaves))
        self.worst = sum(float((c * cell).sum()) for c, cell in zip(counts, lost, strict=True)) or 1.0
        self.levels: list[Floats] = [(cells @ c) / self.worst for cells, c in zip(kept, counts, strict=True)]
        gaps = [(if_lost - cells) / self.worst for cells, if_lost in zip(kept, lost, strict=True)]
        self._gaps = np.concatenate([gap.ravel() for gap in gaps])
        self._tables, self._tuples = gaps, tuples
        self._begins = np.concatenate(([0], np.cumsum([len(leaves) for leaves in counts]))).astype(np.int64)

    @cached_property
    def _least(self) -> _Least:
        """What `_least_gaps` says of every column; a search that may suppress nothing never asks."""
        tuples = self._tuples
        found = [
            _least_gaps(gap, hierarchy, leaves > 0)
            for gap, hierarchy, leaves in zip(
                self._tables, tuples.hierarchies, tuples.leaf_counts, strict=True
            )
        ]
        most = max(len(levels) for levels in self.levels)
        levels, starts, end = np.zeros((len(found), most)), np.zeros((len(found), most), np.int64), 0
        for c, by_level in enumerate(found):
            levels[c, : len(by_level)] = self.levels[c]
            for level, gaps in enumerate(by_level):
                starts[c, level] = end
                end += gaps.size
        flat = np.concatenate([gaps.ravel() for by_level in found for gaps in by_level])
        return _Least(levels, starts, flat)

    def base(self, node: Node) -> float:
        """The cost if every row is released."""
        return float(sum(levels[level] for levels, level in zip(self.levels, node, strict=True)))

    def step(self, column: int, level: int) -> float:
        """What lowering a column by one level saves; nothing at the bottom."""
        return float(self.levels[column][level] - self.levels[column][level - 1]) if level else 0.0

    def of(self, lattice: Lattice, node: Node, classes: NodeClasses, lost: Mask) -> float:
        """The cost when some classes are suppressed."""
        extra = lattice.row_costs(classes.representatives[lost], self._gaps, node) if lost.any() else 0.0
        return self.base(node) + float((classes.sizes[lost] * extra).sum())

    def below(self, lattice: Lattice, node: Node, classes: NodeClasses, doomed: Floats) -> Floats:
        """Per column and level up to the node's, numbers whose sum no release there or below can beat.

        A node below releases none of the doomed rows of a class. Each costs, beyond its released cells, at
        least the least gap between suppressed and released at the lower level among the leaves that share
        its label here. That is a sum over columns, as is the cost of the cells. Column after column, in one.
        """
        least = self._least
        found: Floats = kernels.least_below(
            lattice.tuples.codes,
            classes.representatives,
            doomed,
            self._begins,
            np.array(node, np.int64),
            least.levels,
            least.starts,
            least.gaps,
        )
        return found


class _Least(NamedTuple):
    """As `least_below` reads them: cell costs by column and level, where gaps begin, and the least gaps."""

    levels: Floats
    starts: NDArray[np.int64]
    gaps: Floats


def _least_gaps(gaps: Floats, hierarchy: Hierarchy, present: Mask) -> list[Floats]:
    """Per level, then per level up to it and leaf: the least gap of the present leaves under its label."""
    found = []
    for level, labels in enumerate(hierarchy.codes):
        least = np.full((level + 1, len(hierarchy.names[level])), np.inf)
        for lower in range(level + 1):
            np.minimum.at(least[lower], labels[present], gaps[lower][present])
        found.append(np.where(present, least[:, labels], 0.0))
    return found


def climb(prices: Sequence[Floats]) -> list[tuple[int, int]]:
    """All steps (column, level before it) from bottom to top, always the one with the lowest price next."""
    node = [0] * len(prices)
    order: list[tuple[int, int]] = []
    while True:
        waiting = [
            (float(price[level]), column)
            for column, (price, level) in enumerate(zip(prices, node, strict=True))
            if level < len(price)
        ]
        if not waiting:
            return order
        column = min(waiting)[1]
        order.append((column, node[column]))
        node[column] += 1


def sum_up(levels: Sequence[Floats]) -> Floats:
    """For every combination of levels the sum over the columns."""
    return np.asarray(functools.reduce(np.add.outer, levels))
