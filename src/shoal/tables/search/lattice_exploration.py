"""A lattice looked at node by node: around the best one, and on to those that cost little."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence

import numpy as np

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.progress import Follow
from shoal.tables.appraisal.objective import Objective
from shoal.tables.appraisal.solution_lattice import Solution, SolutionLattice
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.node_search import Best, NodeSearch

NEAR = 2  # steps from the best node that are looked at before anything else


def explore_lattice(
    lattice: Lattice,
    models: Sequence[ClassModel[Classes]],
    objective: Objective,
    limit: int,
    best: Best | None,
    most: int,
    time_limit: float | None = None,
    follow: Follow | None = None,
) -> SolutionLattice:
    """The solutions of a lattice, all of them where there are at most so many, else the most interesting."""
    exploration = _Exploration(lattice, models, objective, limit, best)
    nodes = math.prod(lattice.shape)
    started = clock.now()
    late = False
    for node in exploration.nodes_to_look_at():
        if len(exploration.found) >= most:
            break
        if time_limit is not None and clock.now() - started > time_limit:
            late = True
            break
        if follow is not None:
            follow(len(exploration.found), min(most, nodes), "combinations of levels")
        exploration.look_at(node)
    found = exploration.found
    if nodes <= most:
        every = map(tuple, np.ndindex(*lattice.shape))
        found |= {node: Solution(node, "undecided") for node in every if node not in found}
    return SolutionLattice(
        heights=dict(zip(lattice.tuples.columns, (levels - 1 for levels in lattice.shape), strict=True)),
        rows=lattice.tuples.rows,
        allowed=limit,
        objective=objective.name,
        solutions=tuple(sorted(found.values(), key=_order)),
        nodes=nodes,
        proved=best is not None and best.optimal,
        notes=(f"time ran out after {time_limit:g} s; the rest is undecided",) if late else (),
    )


class _Exploration:
    def __init__(
        self,
        lattice: Lattice,
        models: Sequence[ClassModel[Classes]],
        objective: Objective,
        limit: int,
        best: Best | None,
    ) -> None:
        # Asked for prices only: what a node costs however many rows it leaves out.
        self._prices = NodeSearch(lattice, models, objective, lattice.tuples.rows)
        self._lattice, self._limit = lattice, limit
        self._best = None if best is None else best.node
        self.found: dict[Node, Solution] = {}

    def look_at(self, node: Node) -> None:
        """Settle one node."""
        classes = self._lattice.classes(node)
        kept = np.ones(len(classes), np.bool_)
        for model in self._prices.models:
            kept &= model.holds(classes)
        suppressed = int(classes.sizes[~kept].sum())
        cost = self._prices.price_of(node, classes, kept, suppressed)
        safe = suppressed <= self._limit and np.isfinite(cost)
        loss = float(cost) if np.isfinite(cost) else None
        state = "optimal" if node == self._best else "safe" if safe else "unsafe"
        self.found[node] = Solution(node, state, loss, suppressed)  # type: ignore[arg-type]

    def nodes_to_look_at(self) -> Iterator[Node]:
        """All nodes, the best one's neighbours first, then those beside the cheapest that are safe."""
        start = self._best or tuple(levels - 1 for levels in self._lattice.shape)
        waiting: list[tuple[tuple[float, ...], Node]] = [((0.0,), start)]
        seen = {start}
        while waiting:
            _, node = heapq.heappop(waiting)
            yield node
            here = self.found[node]
            for other in self._beside(node):
                if other not in seen:
                    seen.add(other)
                    heapq.heappush(waiting, (self._urgency(other, start, here), other))

    def _urgency(self, node: Node, start: Node, beside: Solution) -> tuple[float, ...]:
        steps = sum(abs(one - other) for one, other in zip(node, start, strict=True))
        if steps <= NEAR:
            return (0.0, steps)
        safe = beside.state != "unsafe" and beside.loss is not None
        return (1.0 if safe else 2.0, beside.loss if beside.loss is not None else math.inf, steps)

    def _beside(self, node: Node) -> Iterator[Node]:
        for column, (level, levels) in enumerate(zip(node, self._lattice.shape, strict=True)):
            for other in (level - 1, level + 1):
                if 0 <= other < levels:
                    yield (*node[:column], other, *node[column + 1 :])


def _order(one: Solution) -> tuple[float | Node, ...]:
    rank = {"optimal": 0.0, "safe": 1.0, "unsafe": 2.0, "undecided": 3.0}[one.state]
    return (rank, math.inf if one.loss is None else one.loss, one.levels)
