"""Down from the top of a lattice in many orders, then local moves around the best; nothing is proved here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.progress import Progress, Watch
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search.labelled_release import all_models_hold
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_search import LatticeSearch
from shoal.tables.search.level_costs import Prices
from shoal.tables.search.task_costs import cost_at_node

STARTS = 24
PATIENCE = 3
NEXT_TO_EQUAL = 1 - 1e-12
WATCH_EVERY = 0.1
START_SHARE = 0.2  # of the time, for the best node by sizes alone
MOST_PROVED = 200_000  # nodes; in larger lattices that one is searched for without proof


class Descent:
    """One search; `best` is the best node found, or None."""

    def __init__(
        self,
        lattice: Lattice,
        models: Sequence[ClassModel[Classes]],
        objective: Objective,
        limit: int,
        bound: float,
        chance: np.random.Generator,
    ) -> None:
        self.lattice, self.objective, self.limit, self.bound = lattice, objective, limit, bound
        # What reads only sizes is cheap and often settles the matter.
        self.models = sorted(models, key=lambda model: model.reads != "sizes")
        self.wide = [model for model in models if model.scope == "table"]
        self.chance = chance
        self.prices = Prices(lattice.tuples, objective if isinstance(objective, CellLoss) else Loss())
        self.best: Node | None = None
        self.cost = np.inf
        self.fewest_lost = lattice.tuples.rows
        self.stopped = False
        self._known: dict[Node, tuple[float, int]] = {}

    @property
    def evaluated(self) -> int:
        """Nodes looked at."""
        return len(self._known)

    def run(self, until: float, watch: Watch | None = None) -> None:
        """Search until nothing more is found, the bound is met, or the time is over."""
        self._until, self._watch, self._told = until, watch, clock.now()
        top: Node = tuple(levels - 1 for levels in self.lattice.shape)
        try:
            self._look(top)
            for node in self._starts(until):
                self._climb(node)
            for _ in range(STARTS):  # a climb may pass by all that can be released; chance finds some of it
                if self.best is None:
                    self._up()
            if self.best is not None:
                begin = self.best
                for start in range(STARTS):
                    self._down(begin, wild=start / STARTS)
                    self._down(self._up(), wild=start / STARTS)
                self._improve()
        except _TimeOver:
            self.stopped = True
        except _BoundMet:
            pass

    def _starts(self, until: float) -> Iterator[Node]:
        """Where to climb from: the best node for the sizes of classes alone, and the bottom if need be.

        Where a model reads values, every node next to the top may lose too many rows, and no descent from
        there gets anywhere.
        """
        if any(model.reads != "sizes" for model in self.models):
            k = max((model.people for model in self.models), default=1)
            yield self._best_for(KAnonymity(max(k, 1)), clock.now() + START_SHARE * (until - clock.now()))
        if self.best is None:
            yield (0,) * len(self.lattice.shape)

    def _best_for(self, model: KAnonymity, until: float) -> Node:
        """The best node for one model; the bottom where none is found."""
        found: Node | None = None
        if math.prod(self.lattice.shape) <= MOST_PROVED:
            best = LatticeSearch(self.lattice, [model], self.objective, self.limit).run(until - clock.now())
            found = None if best is None else best.node
        else:
            alone = Descent(self.lattice, [model], self.objective, self.limit, 0.0, self.chance)
            alone.run(until)
            found = alone.best
        return found or (0,) * len(self.lattice.shape)

    def _climb(self, node: Node) -> None:
        """Up to a node that may be released, always the step after which the fewest rows are lost."""
        while not np.isfinite(self._look(node)):
            steps = [step for column in range(len(node)) if (step := self._moved(node, column, 1))]
            if not steps:
                return
            node = min(steps, key=lambda step: (self._lost(step), self.prices.base(step)))
        self._down(node, wild=0.0)

    def _up(self) -> Node:
        """From anywhere up, a column at random each time, to the first node that may be released."""
        node = tuple(int(self.chance.integers(levels)) for levels in self.lattice.shape)
        for column in self.chance.permutation(np.repeat(np.arange(len(node)), self.lattice.shape)).tolist():
            if np.isfinite(self._look(node)):
                break
            node = self._moved(node, column, 1) or node
        return node

    def _down(self, node: Node, wild: float) -> Node:
        """Lower columns one level at a time while that costs less; the dearest first, up to some chance."""
        cost = self._look(node)
        open_columns = set(range(len(node)))
        while open_columns:
            weight = {
                column: self.prices.step(column, node[column]) * (1 - wild + 2 * wild * self.chance.random())
                for column in sorted(open_columns)
            }
            column = max(weight, key=lambda one: (weight[one], -one))
            below = self._moved(node, column, -1)
            if below is None or not (lower := self._look(below)) < cost:
                open_columns.discard(column)
            else:
                node, cost = below, lower
        return node

    def _improve(self) -> None:
        """Raise one or two columns of the best and descend again, until that has failed often enough."""
        idle = 0
        while idle < PATIENCE and self.best is not None:
            before = self.cost
            columns = self.chance.permutation(len(self.best))
            for place, column in enumerate(columns.tolist()):
                for steps in (1, 2):
                    raised = self._moved(self.best, column, steps)
                    if raised is None:
                        break
                    self._down_others(raised, column, wild=0.5 if idle else 0.0)
                other = int(columns[place - 1])
                pair = self._moved(self._moved(self.best, column, 1), other, 1)
                if pair is not None and other != column:
                    self._down(pair, wild=1.0)
            idle = 0 if self.cost < before * NEXT_TO_EQUAL else idle + 1

    def _down_others(self, node: Node, held: int, wild: float) -> None:
        """As `_down`, but first every other column a level lower before the raised one may come back."""
        cost = self._look(node)
        columns = [column for column in range(len(node)) if column != held]
        weight = [
            self.prices.step(column, node[column]) * (1 - wild + 2 * wild * self.chance.random())
            for column in columns
        ]
        for place in np.argsort(np.array(weight) * -1.0, kind="stable").tolist():
            below = self._moved(node, columns[place], -1)
            if below is not None and (lower := self._look(below)) < cost:
                node, cost = below, lower
        self._down(node, wild)

    def _moved(self, node: Node | None, column: int, steps: int) -> Node | None:
        """The node with one column on another level, if there is such a level."""
        if node is None or not 0 <= node[column] + steps < self.lattice.shape[column]:
            return None
        return (*node[:column], node[column] + steps, *node[column + 1 :])

    def _lost(self, node: Node) -> int:
        self._look(node)
        return self._known[node][1]

    def _look(self, node: Node) -> float:
        """What a node costs; infinite when it may not be released."""
        known = self._known.get(node)
        if known is None:
            now = clock.now()
            if now > self._until and self._known:
                raise _TimeOver
            if self._watch is not None and now - self._told > WATCH_EVERY:
                self._told = now
                best = None if self.best is None else float(self.cost)
                self._watch(Progress(self.evaluated, 0, best, self.bound))
            known = self._known[node] = self._priced(node)
            self.fewest_lost = min(self.fewest_lost, known[1])
            if known[0] < self.cost * NEXT_TO_EQUAL:
                self.best, self.cost = node, known[0]
                if self.cost <= self.bound / NEXT_TO_EQUAL:
                    raise _BoundMet
        return known[0]

    def _priced(self, node: Node) -> tuple[float, int]:
        classes, rows = self.lattice.classes(node), self.lattice.tuples.rows
        kept = all_models_hold(self.models, classes)
        lost = int(classes.sizes[~kept].sum())
        if lost and self.wide and lost < rows:
            left = classes.only(kept)
            if not all(model.holds(left).all() for model in self.wide):
                return np.inf, rows
        if lost > self.limit or lost == rows:
            return np.inf, lost
        if isinstance(self.objective, CellLoss):
            return self.prices.of(self.lattice, node, classes, ~kept), lost
        if isinstance(self.objective, Task):
            return cost_at_node(self.objective, self.lattice, node, classes, kept), lost
        return self.objective.of_sizes(classes.sizes[kept], lost), lost


class _TimeOver(Exception):
    pass


class _BoundMet(Exception):
    pass
