"""A table treated in rounds: what one round must leave out, the next treats by itself."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel, Mask
from shoal.core.progress import Progress, Watch
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Int64, Tuples, pack_codes
from shoal.tables.search.labelled_release import Choice, LabelledParts, all_models_hold, choose, part_of
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_descent import Descent
from shoal.tables.search.lattice_search import LatticeSearch
from shoal.tables.search.level_costs import Prices

MOST_VISITED = 50_000
MOST_SEARCHED = 2_000_000  # nodes; beyond that a lattice is searched without proof
USUAL_SECONDS = 5.0
SHARE = 0.25  # of the time that is left, for a search without proof


@dataclass(frozen=True, eq=False)
class Round:
    """Tuples that go out at one node."""

    node: Node
    members: Int64


@dataclass(frozen=True, eq=False)
class Plan:
    """Rounds that together keep enough rows, and what nothing could be done for."""

    rounds: tuple[Round, ...]
    left: Int64


class Rounds:
    """Ways to treat the tuples of a table in rounds, with at most `allowed` rows left out in the end."""

    def __init__(
        self,
        tuples: Tuples,
        models: Sequence[ClassModel[Classes]],
        objective: Objective,
        allowed: int,
        until: float | None,
        watch: Watch | None = None,
    ) -> None:
        self.tuples, self.models, self.objective, self.allowed = tuples, models, objective, allowed
        self.until, self.watch = until, watch

    def repeated(self, first: int, rounds: int) -> Plan | None:
        """The best node with at most `first` rows lost; then the best node for what was lost, and so on."""
        done: list[Round] = []
        rest = np.arange(len(self.tuples.sizes))
        limit = first
        while len(rest) and len(done) < rounds and not self._late():
            rest, found = self._best(rest, limit)
            if found is None:
                break
            done.append(found)
            limit = self._rows(rest)
            self._tell(rest)
        return self._settled(done, rest)

    def ascending(self, rounds: int) -> Plan | None:
        """Nodes from the cheapest up; whatever holds there among the rows that are left, goes out."""
        prices = Prices(self.tuples, self.objective if isinstance(self.objective, CellLoss) else Loss())
        done: list[Round] = []
        rest = np.arange(len(self.tuples.sizes))
        lattice = Lattice(self.tuples)
        for node in islice(_cheapest_first(prices.levels), MOST_VISITED):
            if not len(rest) or len(done) + 1 >= rounds or self._late():
                break
            # Few classes are cheap to ask about; who is in them is looked up only where one holds.
            if not all_models_hold(self.models, lattice.classes(node)).any():
                continue
            group, classes = lattice.members(node)
            kept = all_models_hold(self.models, classes)[group]
            done.append(Round(node, rest[kept]))
            rest = rest[~kept]
            self._tell(rest)
            if len(rest):
                lattice = Lattice(part_of(self.tuples, rest))
        return self._settled(done, rest)

    def _settled(self, done: list[Round], rest: Int64) -> Plan | None:
        """What is left over is treated by itself, or else together with the last rounds, which are undone."""
        while self._rows(rest) > self.allowed:
            rest, found = self._best(rest, self.allowed)
            if found is not None:
                done.append(found)
            elif not done:
                return None
            else:
                rest = np.sort(np.concatenate((rest, done.pop().members)))
        return Plan(tuple(done), rest)

    def _best(self, rest: Int64, limit: int) -> tuple[Int64, Round | None]:
        """The best node for some tuples, and which of them it loses."""
        lattice = Lattice(part_of(self.tuples, rest))
        node = self._searched(lattice, limit)
        if node is None:
            return rest, None
        group, classes = lattice.members(node)
        kept = all_models_hold(self.models, classes)[group]
        return rest[~kept], Round(node, rest[kept])

    def _searched(self, lattice: Lattice, limit: int) -> Node | None:
        seconds = None if self.until is None else max(self.until - clock.now(), 0.01)
        # A task is about all rows; what is left of them is treated with as little loss as possible.
        whole = len(lattice.tuples.sizes) == len(self.tuples.sizes)
        wanted = self.objective if whole or not isinstance(self.objective, Task) else Loss()
        if math.prod(lattice.shape) <= MOST_SEARCHED:
            best = LatticeSearch(lattice, self.models, wanted, limit).run(seconds)
            return None if best is None else best.node
        # The same start of chance every time: what a search finds must not depend on anything but the table.
        search = Descent(lattice, self.models, wanted, limit, 0.0, np.random.default_rng(0))
        search.run(clock.now() + min(USUAL_SECONDS if seconds is None else SHARE * seconds, USUAL_SECONDS))
        return search.best

    def _rows(self, rest: Int64) -> int:
        return int(self.tuples.sizes[rest].sum())

    def _late(self) -> bool:
        return self.until is not None and clock.now() > self.until

    def _tell(self, rest: Int64) -> None:
        if self.watch is not None:
            self.watch(Progress(len(self.tuples.sizes) - len(rest), len(rest), None, None))


def _cheapest_first(levels: Sequence[NDArray[np.float64]]) -> Iterator[Node]:
    """All nodes by what their levels cost, without making a list of them."""
    bottom: Node = (0,) * len(levels)
    waiting = [(float(sum(one[0] for one in levels)), bottom, 0)]
    while waiting:
        cost, node, last = heapq.heappop(waiting)
        yield node
        # Raising only from the column raised last on, every node is reached in one way.
        for column in range(last, len(levels)):
            level = node[column] + 1
            if level < len(levels[column]):
                more = float(levels[column][level] - levels[column][level - 1])
                heapq.heappush(waiting, (cost + more, (*node[:column], level, *node[column + 1 :]), column))


def cheapest(
    plans: Iterable[Plan | None], tuples: Tuples, models: Sequence[ClassModel[Classes]], objective: Objective
) -> Choice | None:
    """The cheapest plan whose classes hold as a reader sees them, each label as low as its class allows."""
    orders = [LeafOrder.of(hierarchy) for hierarchy in tuples.hierarchies]
    best: Choice | None = None
    for plan in plans:
        if plan is None or not plan.rounds:
            continue
        for tight in (True, False):
            # Classes of different rounds may get the same labels and are one class then.
            found = choose(*_label_rounds(plan, tuples, orders, tight), models, objective)
            if found is not None:
                best = found if best is None or found.cost < best.cost else best
                break
    return best


def _label_rounds(
    plan: Plan, tuples: Tuples, orders: Sequence[LeafOrder], tight: bool
) -> tuple[LabelledParts, Mask]:
    """A part for every class of every round, and one for what is left over."""
    part = np.empty(len(tuples.sizes), np.int32)
    levels, members, kept, parts = [], [], [], 0
    top = tuple(hierarchy.height for hierarchy in tuples.hierarchies)
    for one in (*plan.rounds, Round(top, plan.left)):
        if not len(one.members):
            continue
        hierarchies = list(zip(tuples.hierarchies, one.node, strict=True))
        labels = [
            hierarchy.codes[level][tuples.codes[one.members, c]]
            for c, (hierarchy, level) in enumerate(hierarchies)
        ]
        widths = [len(hierarchy.names[level]) for hierarchy, level in hierarchies]
        keys = pack_codes(labels, widths, len(one.members))
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
        part[one.members] = parts + number.reshape(-1)
        parts += len(first)
        members.append(one.members[first])
        levels.append(np.tile(np.array(one.node), (len(first), 1)))
        kept.append(np.full(len(first), one.members is not plan.left))
    chosen = np.concatenate(levels)
    if tight:
        order, offsets = kernels.arrange_by_group(part, parts)
        for c, line in enumerate(orders):
            place = line.place_of[tuples.codes[order, c]]
            ends = [ufunc.reduceat(place, offsets[:-1]) for ufunc in (np.minimum, np.maximum)]
            chosen[:, c] = np.minimum(line.level_over(*ends), chosen[:, c])
    return LabelledParts.on_levels(tuples, orders, part, np.concatenate(members), chosen), np.concatenate(
        kept
    )
