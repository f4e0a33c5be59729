"""What every exact search knows of one node: what is doomed there, what may go out, and its cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import ClassModel, Mask
from shoal.tables.appraisal.losses import largest_k
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search import node_kernels as kernels
from shoal.tables.search.lattice import Lattice, Node, NodeClasses
from shoal.tables.search.level_costs import Prices
from shoal.tables.search.task_costs import cost_at_node

Floats = NDArray[np.float64]
Models = Sequence[ClassModel[Classes]]

NEXT_TO_EQUAL = 1 - 1e-12  # sums in another order differ in the last digits; that is no improvement
WATCH_EVERY = 0.1


@dataclass(frozen=True)
class Best:
    """The best node found, what it costs, whether it is proved to be the best of all, and what none beats."""

    node: Node
    cost: float
    optimal: bool
    evaluated: int
    bound: float


class NodeSearch:
    """The best node so far, and how others are judged."""

    def __init__(
        self, lattice: Lattice, models: Models, objective: Objective, limit: int, within: Sequence[slice] = ()
    ) -> None:
        self.lattice, self.objective, self.limit = lattice, objective, limit
        # What reads only sizes is cheap and often settles the matter.
        self.models = sorted(models, key=lambda model: model.reads != "sizes")
        self.wide = [model for model in models if model.scope == "table"]
        self.smallest = largest_k(models)
        self.rows = lattice.tuples.rows
        top = lattice.classes(tuple(levels - 1 for levels in lattice.shape))
        for model in self.models:  # what a model cannot read, it says now and not after a long search
            model.doomed(top)
        self.guide = objective if isinstance(objective, CellLoss) else Loss()
        self.prices = Prices(lattice.tuples, self.guide)
        places = [*within, *[slice(None)] * (len(lattice.shape) - len(within))]
        self.part = [range(levels)[place] for levels, place in zip(lattice.shape, places, strict=True)]
        self.best: Node | None = None
        self.cost, self.evaluated = np.inf, 0

    def _judged(self, classes: NodeClasses) -> tuple[Mask, Floats, bool]:
        """Which classes keep every promise, how many rows of each are doomed, and whether those are too many.

        Where they are, nothing there or below can be released, and not every model was asked.
        """
        kept, doomed = np.ones(len(classes), np.bool_), np.zeros(len(classes))
        for model in self.models:
            more = np.ascontiguousarray(model.doomed(classes), np.float64)
            lost_rows = kernels.doom(doomed, more, classes.sizes, self.smallest)
            if lost_rows > self.limit or lost_rows >= self.rows:
                return kept, doomed, True
            kept &= model.holds(classes)
        return kept, doomed, False

    def _judge(self, node: Node, classes: NodeClasses, kept: Mask, suppressed: int) -> None:
        """Take the node as the best so far if it may be released and costs less."""
        cost = self.price_of(node, classes, kept, suppressed)
        if cost < self.cost * NEXT_TO_EQUAL:
            self.best, self.cost = node, cost

    def price_of(self, node: Node, classes: NodeClasses, kept: Mask, suppressed: int) -> float:
        """What a node costs whose classes are kept or left out; infinite when it may not be released."""
        inside = all(level in part for level, part in zip(node, self.part, strict=True))
        if suppressed > self.limit or suppressed == self.rows or not inside:
            return np.inf
        if suppressed and self.wide:
            # What is left out changes the table that these models speak of.
            left = classes.only(kept)
            if not all(model.holds(left).all() for model in self.wide):
                return np.inf
        if isinstance(self.objective, CellLoss):
            return self.prices.of(self.lattice, node, classes, ~kept)
        if isinstance(self.objective, Task):
            return cost_at_node(self.objective, self.lattice, node, classes, kept)
        return self.objective.of_sizes(classes.sizes[kept], suppressed)

    def _lower(self) -> None:
        """Step down where it costs nothing: a constant column need not be hidden."""
        moved = True
        while moved and self.best is not None:
            moved = False
            for column, level in enumerate(self.best):
                node = (*self.best[:column], level - 1, *self.best[column + 1 :])
                cost = self._cost(node) if level and self._may_be_as_good(node) else np.inf
                if cost <= self.cost / NEXT_TO_EQUAL:  # it may be less where time ran out
                    self.best, self.cost, moved = node, cost, True
                    break

    def _may_be_as_good(self, node: Node) -> bool:
        """Whether a node may cost what the proved best does; with every row released its cells tell."""
        told = self.limit == 0 and self.guide is self.objective
        return not told or self.prices.base(node) >= self.cost * NEXT_TO_EQUAL

    def _cost(self, node: Node) -> float:
        """What a node costs; infinite when it may not be released."""
        classes = self.lattice.classes(node)
        kept = np.ones(len(classes), np.bool_)
        for model in self.models:
            kept &= model.holds(classes)
        return self.price_of(node, classes, kept, int(classes.sizes[~kept].sum()))
