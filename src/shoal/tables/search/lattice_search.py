"""Best-first search over a lattice with proof: what it returns is the optimum, or it says that it is not.

Three facts prune, and nothing is sampled:

- *doomed rows*: what a class must lose in every refinement (see `Model.doomed`). More of them than may be
  suppressed closes a node and everything below it, and their cost lifts the bound of everything below.
- *the cost of cells* only rises with the levels, so a node costs at least what its levels cost.
- *class sizes* only grow with the levels, so a size loss at a node bounds everything above.

Models that are not monotone under suppression (entropy diversity, t-closeness …) promise less through
`doomed` and so prune less; the result stays exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel, Mask
from shoal.core.errors import BadParameter
from shoal.core.progress import Progress, Watch
from shoal.tables.appraisal.losses import largest_k
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search.lattice import Lattice, Node, NodeClasses

Floats = NDArray[np.float64]

LARGEST_LATTICE = 20_000_000
NEXT_TO_EQUAL = 1 - 1e-12  # sums in another order differ in the last digits; that is no improvement
WATCH_EVERY = 0.1
BOLD = 8


@dataclass(frozen=True)
class Best:
    """The best node found, what it costs, and whether it is proved to be the best of all."""

    node: Node
    cost: float
    optimal: bool
    evaluated: int


def _climb(prices: Sequence[Floats]) -> list[tuple[int, int]]:
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


class LatticeSearch:
    """One search; `run` gives the best node or None when no node is feasible."""

    def __init__(
        self, lattice: Lattice, models: Sequence[ClassModel[Classes]], objective: Objective, limit: int
    ) -> None:
        nodes = math.prod(lattice.shape)
        if nodes > LARGEST_LATTICE:
            raise BadParameter(
                f"too many combinations of levels for the exact search ({nodes:,}; it takes "
                f"{LARGEST_LATTICE:,}); use --method local-recoding or auto"
            )
        self.lattice, self.objective, self.limit = lattice, objective, limit
        # What reads only sizes is cheap and often settles the matter.
        self.models = sorted(models, key=lambda model: model.reads != "sizes")
        self.wide = [model for model in models if model.scope == "table"]
        self.smallest = largest_k(models)
        self.rows = lattice.tuples.rows
        for model in self.models:  # what a model cannot read, it says now and not after a long search
            model.doomed(lattice.classes(tuple(levels - 1 for levels in lattice.shape)))
        guide = objective if isinstance(objective, CellLoss) else Loss()
        self._price(guide)
        # bound[node]: no result at the node can cost less; infinite once the node is settled
        self.bound = self._base.copy() if guide is objective else np.zeros(lattice.shape)
        self.best: Node | None = None
        self.cost = np.inf
        self.evaluated = 0
        self._seen = np.zeros(lattice.shape, np.bool_)
        self._credit: float = BOLD

    def _price(self, guide: CellLoss) -> None:
        """Cell costs per column and level, and what a suppressed row costs beyond its released cells."""
        tuples = self.lattice.tuples
        kept, lost, counts = [], [], tuples.leaf_counts
        for hierarchy, leaves in zip(tuples.hierarchies, counts, strict=True):
            kept.append(guide.released(hierarchy, leaves))
            lost.append(guide.suppressed(leaves))
        worst = sum(float((c * cell).sum()) for c, cell in zip(counts, lost, strict=True)) or 1.0
        steps = [(cells @ c) / worst for cells, c in zip(kept, counts, strict=True)]
        self._gaps = np.concatenate(
            [((if_lost - cells) / worst).ravel() for cells, if_lost in zip(kept, lost, strict=True)]
        )
        self._base = np.zeros(self.lattice.shape)
        for column, step in enumerate(steps):
            shape = [1] * len(steps)
            shape[column] = len(step)
            self._base += step.reshape(shape)
        # Measured: with nothing to suppress the border runs high, and climbing all columns evenly finds it
        # sooner; else the cheapest step first.
        even = [np.arange(1, len(step)) / len(step) for step in steps]
        self._climb = _climb(even if self.limit == 0 else [np.diff(step) for step in steps])

    def run(self, time_limit: float | None = None, watch: Watch | None = None) -> Best | None:
        """Search until the best is proved, or until the time is over."""
        started = clock.now()
        told = started
        for node in self._promising():
            self._evaluate(node)
            if time_limit is None and watch is None:
                continue
            now = clock.now()
            if watch is not None and now - told > WATCH_EVERY:
                told = now
                watch(self._progress())
            if time_limit is not None and now - started > time_limit:
                break
        if self.best is None and np.isfinite(self.bound.min()):
            # Out of time before anything was found; the top is the node that is most likely to do.
            self._evaluate(tuple(levels - 1 for levels in self.lattice.shape))
        if self.best is None:
            return None
        proved = not float(self.bound.min()) < self.cost * NEXT_TO_EQUAL
        if proved:
            self._lower()
        return Best(self.best, float(self.cost), proved, self.evaluated)

    def _lower(self) -> None:
        """Step down where it costs nothing: a constant column need not be hidden."""
        moved = True
        while moved and self.best is not None:
            moved = False
            for column, level in enumerate(self.best):
                node = (*self.best[:column], level - 1, *self.best[column + 1 :])
                cost = self._cost(node) if level else np.inf
                if cost <= self.cost / NEXT_TO_EQUAL:  # it may be less where time ran out
                    self.best, self.cost, moved = node, cost, True
                    break

    def _cost(self, node: Node) -> float:
        """What a node costs; infinite when it may not be released."""
        classes = self.lattice.classes(node)
        kept = np.ones(len(classes), np.bool_)
        for model in self.models:
            kept &= model.holds(classes)
        return self._price_of(node, classes, kept, int(classes.sizes[~kept].sum()))

    def _progress(self) -> Progress:
        waiting = self.bound < self.cost
        lowest = float(self.bound.min())
        return Progress(
            done=self.bound.size - int(np.count_nonzero(waiting)),
            open=int(np.count_nonzero(waiting)),
            best=None if self.best is None else float(self.cost),
            bound=None if not np.isfinite(lowest) else lowest,
        )

    def _promising(self) -> Iterator[Node]:
        """Nodes to evaluate, until no open node could be the best.

        The open node with the lowest bound is nearly always hopeless, and evaluating a node further up on a
        path from it to the top often shows that, for it and for everything below that node: the higher, the
        more is settled at once. So the highest node that still does so is sought by halving, above what
        could itself be the best as long as that pays.
        """
        while True:
            place = int(self.bound.argmin())
            if not self.bound.flat[place] < self.cost * NEXT_TO_EQUAL:
                return
            low = tuple(int(level) for level in np.unravel_index(place, self.bound.shape))
            path, dear = self._path(low)
            first, last = 0, len(path) - 1
            probe = last // 2 if self.best is None else (dear + last + 1) // 2 if self._credit > 0 else dear
            while first <= last:
                yield path[probe]
                settled = not self._may_win(low)
                self._learn(path[probe], settled, bold=probe > dear)
                if settled:
                    first = probe + 1
                else:
                    last = probe - 1
                    while first <= last < dear and not self._may_win(path[last]):
                        last -= 1
                if first > dear or last < dear:
                    probe = (first + last) // 2
                else:
                    probe = (dear + last + 1) // 2 if self._credit > 0 else dear

    def _learn(self, node: Node, settled: bool, bold: bool) -> None:
        """Remember where looking higher is of no use, and how often boldness paid."""
        self._seen[node] = True
        if not settled and not self._closed_below and self.limit < self.rows:
            # Fewer rows are doomed further up, so nothing above closes anything either.
            self._seen[tuple(slice(level, None) for level in node)] = True
        if bold:
            self._credit = min(BOLD, self._credit + 1) if settled else self._credit - 1
        elif self._credit <= 0:
            self._credit += 0.1

    def _may_win(self, node: Node) -> bool:
        return bool(self.bound[node] < self.cost * NEXT_TO_EQUAL)

    def _path(self, low: Node) -> tuple[list[Node], int]:
        """The nodes from a node up to where nothing is to be learned, and the last that could be the best."""
        path, node, dear = [low], list(low), 0
        for column, level in self._climb:
            if level < low[column]:
                continue
            node[column] += 1
            step = tuple(node)
            if self._seen[step]:
                break
            if self._may_win(step):
                dear = len(path)
            path.append(step)
        return path, dear

    def _evaluate(self, node: Node) -> None:
        """Settle one node, and what follows for those below and above it."""
        self.evaluated += 1
        self._closed_below = False
        self.bound[node] = np.inf
        below = tuple(slice(0, level + 1) for level in node)
        classes = self.lattice.classes(node)
        kept: Mask | None = None
        doomed: Floats | None = None
        for model in self.models:
            lost = model.doomed(classes)
            doomed = lost if doomed is None else np.maximum(doomed, lost)
            lost_rows = float(doomed.sum())
            if lost_rows > self.limit or lost_rows >= self.rows:
                self.bound[below] = np.inf
                self._closed_below = True
                return
            holds = model.holds(classes)
            kept = holds if kept is None else kept & holds
        if kept is None or doomed is None:
            kept, doomed = np.ones(len(classes), np.bool_), np.zeros(len(classes))
        suppressed = int(classes.sizes[~kept].sum())
        self._judge(node, classes, kept, suppressed)
        if isinstance(self.objective, CellLoss):
            if suppressed:
                penalty = float((doomed * self._gap(classes, node, doomed > 0)).sum())
                self._lift(below, self._base[below] + penalty)
        else:
            above = tuple(slice(level, None) for level in node)
            self._lift(above, self.objective.at_least(classes.sizes, self.limit, self.smallest))
            self._lift(below, self.objective.when_doomed(float(doomed.sum()), self.rows, self.smallest))

    def _lift(self, where: tuple[slice, ...], bound: float | Floats) -> None:
        part = self.bound[where]
        np.maximum(part, bound, out=part)

    def _judge(self, node: Node, classes: NodeClasses, kept: Mask, suppressed: int) -> None:
        """Take the node as the best so far if it may be released and costs less."""
        cost = self._price_of(node, classes, kept, suppressed)
        if cost < self.cost * NEXT_TO_EQUAL:
            self.best, self.cost = node, cost

    def _price_of(self, node: Node, classes: NodeClasses, kept: Mask, suppressed: int) -> float:
        if suppressed > self.limit or suppressed == self.rows:
            return np.inf
        if suppressed and self.wide:
            # What is left out changes the table that these models speak of.
            left = classes.only(kept)
            if not all(model.holds(left).all() for model in self.wide):
                return np.inf
        if isinstance(self.objective, CellLoss):
            extra = (classes.sizes * self._gap(classes, node, ~kept)).sum() if suppressed else 0.0
            return float(self._base[node] + extra)
        return self.objective.of_sizes(classes.sizes[kept], suppressed)

    def _gap(self, classes: NodeClasses, node: Node, where: Mask) -> Floats:
        """Per class what suppressing one of its rows costs beyond releasing it; 0 outside `where`."""
        gap = np.zeros(len(classes))
        gap[where] = self.lattice.row_costs(classes.representatives[where], self._gaps, node)
        return gap
