"""Best-first search over a lattice with proof: what it returns is the optimum, or it says that it is not.

Three facts prune, and nothing is sampled:

- *doomed rows*: what a class must lose in every refinement (see `Model.doomed`). More of them than may be
  suppressed closes a node and everything below it, and what they cost lifts the bound of everything below
  (see `Prices.below`). What is left of a class must also be k rows, or it is doomed too.
- *the cost of cells* only rises with the levels, so a node costs at least what its levels cost.
- *class sizes* only grow with the levels, so a size loss at a node bounds all above (tasks: see `Task`).

Models that are not monotone under suppression (entropy diversity, t-closeness …) promise less through
`doomed` and so prune less; the result stays exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from shoal.core import clock
from shoal.core.errors import BadParameter
from shoal.core.progress import Progress, Watch
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.search import node_kernels as kernels
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.level_costs import climb, sum_up
from shoal.tables.search.node_search import NEXT_TO_EQUAL, WATCH_EVERY, Best, Floats, Models, NodeSearch
from shoal.tables.search.task_costs import least_above

__all__ = ["LARGEST_LATTICE", "Best", "LatticeSearch"]

LARGEST_LATTICE = 20_000_000
BOLD = 8
AHEAD = 256


class LatticeSearch(NodeSearch):
    """One search; `run` gives the best node (`within` a part, if given) or None when none is feasible."""

    def __init__(
        self, lattice: Lattice, models: Models, objective: Objective, limit: int, within: Sequence[slice] = ()
    ) -> None:
        nodes = math.prod(lattice.shape)
        if nodes > LARGEST_LATTICE:
            raise BadParameter(
                f"too many combinations of levels for the exact search ({nodes:,}; it takes "
                f"{LARGEST_LATTICE:,}); use --method local-recoding or auto"
            )
        super().__init__(lattice, models, objective, limit, within)
        steps = self.prices.levels
        base = sum_up(steps)
        # Measured: with nothing to suppress the border runs high, and climbing all columns evenly finds it
        # sooner; else the cheapest step first.
        even = [np.arange(1, len(step)) / len(step) for step in steps]
        self._climb = climb(even if limit == 0 else [np.diff(step) for step in steps])
        # Where rows may go but not all of them, cell costs alone are a good order, and cheaper to keep than
        # the order of bounds that change.
        by_cells = self.guide is objective and limit < self.rows
        self._order = np.argsort(base, axis=None) if by_cells else None
        # bound[node]: no result at the node can cost less; infinite once the node is settled
        if isinstance(objective, Task):
            self.bound = objective.least(lattice.shape, limit)
        else:
            self.bound = base.copy() if self.guide is objective else np.zeros(lattice.shape)
        inside = np.zeros(lattice.shape, np.bool_)
        inside[tuple(within)] = True
        self.bound[~inside] = np.inf
        self._columns = np.arange(len(steps))
        self._strides = np.array(self.bound.strides, np.int64) // self.bound.itemsize
        self._next = 0
        self._seen = np.zeros(lattice.shape, np.bool_)
        self._credit: float = BOLD

    def run(self, time_limit: float | None = None, watch: Watch | None = None) -> Best | None:
        """Search until the best is proved, or until the time is over."""
        started = told = clock.now()
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
        lowest = float(self.cost) if proved else float(self.bound.min())
        return Best(self.best, float(self.cost), proved, self.evaluated, lowest)

    def _progress(self) -> Progress:
        waiting, lowest = int(np.count_nonzero(self.bound < self.cost)), float(self.bound.min())
        return Progress(
            done=self.bound.size - waiting,
            open=waiting,
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
            place = self._cheapest_open()
            if place is None:
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

    def _cheapest_open(self) -> int | None:
        """Where a node is that could be the best, the one with the lowest bound or cell cost."""
        if self._order is None:
            place = int(self.bound.argmin())
            return place if self.bound.flat[place] < self.cost * NEXT_TO_EQUAL else None
        # Bounds only rise and the best only falls, so what is behind is settled for good.
        flat, order = self.bound.reshape(-1), self._order
        while self._next < len(order):
            ahead = order[self._next : self._next + AHEAD]
            waiting = flat[ahead] < self.cost * NEXT_TO_EQUAL
            first = int(waiting.argmax())
            if waiting[first]:
                self._next += first
                return int(ahead[first])
            self._next += len(ahead)
        return None

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
        self.bound[node] = np.inf
        below = tuple(slice(0, level + 1) for level in node)
        classes = self.lattice.classes(node)
        kept, doomed, self._closed_below = self._judged(classes)
        if self._closed_below:
            self.bound[below] = np.inf
            return
        suppressed = int(classes.sizes[~kept].sum())
        if isinstance(self.objective, CellLoss):
            if not suppressed:
                self._judge(node, classes, kept, 0)
                return
            least = self.prices.below(self.lattice, node, classes, doomed)
            levels = np.array(node, np.int64)
            if (
                least[levels.cumsum() + self._columns].sum() < self.cost
            ):  # else the doomed alone cost too much
                self._judge(node, classes, kept, suppressed)
            kernels.lift_below(self.bound.reshape(-1), self._strides, levels, least)
            return
        self._judge(node, classes, kept, suppressed)
        above, lost_rows = tuple(slice(level, None) for level in node), float(doomed.sum())
        if isinstance(self.objective, Task):
            self._lift(above, least_above(self.objective, self.lattice, node))
            self._lift(below, self.objective.when_doomed(lost_rows))
        else:
            self._lift(above, self.objective.at_least(classes.sizes, self.limit, self.smallest))
            self._lift(below, self.objective.when_doomed(lost_rows, self.rows, self.smallest))

    def _lift(self, where: tuple[slice, ...], bound: float | Floats) -> None:
        part = self.bound[where]
        np.maximum(part, bound, out=part)
