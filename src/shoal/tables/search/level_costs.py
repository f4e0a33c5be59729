"""What the levels of a lattice cost under a cell loss."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Mask
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice, Node, NodeClasses


class Prices:
    """Per column and level the cost of all its cells, as a share of the cost if every row were suppressed."""

    def __init__(self, tuples: Tuples, guide: CellLoss) -> None:
        kept, lost, counts = [], [], tuples.leaf_counts
        for hierarchy, leaves in zip(tuples.hierarchies, counts, strict=True):
            kept.append(guide.released(hierarchy, leaves))
            lost.append(guide.suppressed(leaves))
        self.worst = sum(float((c * cell).sum()) for c, cell in zip(counts, lost, strict=True)) or 1.0
        self.levels: list[NDArray[np.float64]] = [
            (cells @ c) / self.worst for cells, c in zip(kept, counts, strict=True)
        ]
        self._gaps = np.concatenate(
            [((if_lost - cells) / self.worst).ravel() for cells, if_lost in zip(kept, lost, strict=True)]
        )

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
