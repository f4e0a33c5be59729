"""Make some nodes look alike: each gets the edges that it lacks, among friends nobody will miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from shoal.graphs.construction.neighbourhood.builder import Builder
from shoal.graphs.construction.neighbourhood.shapes import Nodes, Shape, missing, together
from shoal.graphs.construction.neighbourhood.work import Work

_TRIES = 3
PEN = 1
WIDE=2


@dataclass(frozen=True)
class Plan:
    """Nodes that shall get one shape, and how many edges that takes."""

    members: tuple[int, ...]
    shape: Shape
    cost: int
    solved: int  # members that were unsafe before

    @property
    def price(self) -> float:
        """Edges for each node that becomes safe."""
        return self.cost / self.solved


class Levels:
    """The sparse way: nodes with the largest neighbourhoods first, and what is done is not touched again.

    A node either takes the look of a class that is safe already, or meets with others in a look that
    contains those of all.
    """

    def __init__(self, work: Work, tick: Callable[[], None]) -> None:
        self.work = work
        self.tick = tick
        self.done: Nodes = set()
        self.tries: Counter[int] = Counter()
        self.given_up: Nodes = set()

    def run(self) -> None:
        """Level until every node outside of units is safe or given up."""
        work = self.work
        while True:
            self.tick()
            work.refresh()
            left = [node for node in work.unsafe() if node not in self.given_up]
            if not left:
                return
            node = max(left, key=lambda one: (len(work.near[one]), len(work.look(one).parts), -one))
            self.tries[node] += 1
            plan = self._best(node) if self.tries[node] <= _TRIES else None
            if plan is None:
                self.given_up.add(node)
            else:
                Builder(work, self.done).carry_out(plan.members, plan.shape)
                self.done.update(plan.members)

    def _best(self, node: int) -> Plan | None:
        plans = [*self._joins(node), *self._groups(node)]
        return min(plans, key=lambda plan: plan.price, default=None)

    def _joins(self, node: int) -> Iterable[Plan]:
        """Take the shape of a class that is safe already."""
        work, own = self.work, self.work.look(node)
        shapes = work.shapes
        degree = len(work.near[node])
        usable = len(Builder(work, self.done).usable(node))
        for shape, members in work.classes.items():
            if len(members) < work.k or shapes.degree(shape) < degree:
                continue
            new = shapes.vertices(shape.parts) - shapes.vertices(own.parts)
            if own.lonely - min(usable, new) <= shape.lonely and not missing(own.parts, shape.parts):
                yield Plan((node,), shape, self._cost(node, shape), 1)

    def _groups(self, node: int) -> Iterable[Plan]:
        """Meet with others in a shape that contains those of all."""
        work = self.work
        scored = []
        for shape, members in work.classes.items():
            free = [one for one in members if one != node and one not in self.done]
            spare = len(free) if len(members) < work.k else len(members) - work.k
            if spare > 0 and free:
                scored.append((self._distance(node, shape), len(members) >= work.k, sorted(free)[:spare]))
        scored.sort()
        chosen = [node]
        for _, _, free in scored:
            chosen += free[: max(0, int(WIDE * work.k) - len(chosen))]
        for size in range(work.k, len(chosen) + 1):
            yield self._meeting(chosen[:size])

    def _distance(self, node: int, shape: Shape) -> int:
        own, shapes = self.work.look(node), self.work.shapes
        more, less = missing(shape.parts, own.parts), missing(own.parts, shape.parts)
        apart = abs(shapes.degree(shape) - len(self.work.near[node]))
        return shapes.edges(more) + shapes.edges(less) + apart

    def _meeting(self, chosen: Sequence[int]) -> Plan:
        work, shapes = self.work, self.work.shapes
        parts = together(work.look(one) for one in chosen)
        lonely = 0
        copies: Counter[int] = Counter()
        builder = Builder(work, self.done)
        for one in chosen:
            own = work.look(one)
            new = shapes.vertices(parts) - shapes.vertices(own.parts)
            lonely = max(lonely, own.lonely - min(len(builder.usable(one)), new))
            copies.update(missing(parts, own.parts))
        shape = Shape(lonely, parts)
        cost = sum(self._cost(one, shape) for one in chosen)
        # Whoever gets a place in fewer than k copies of a part has a rare look, and is next in turn.
        for part, number in copies.items():
            if number < work.k and shapes.known[part].size > 2:
                cost += PEN * number * shapes.known[part].size
        solved = sum(len(work.classes[work.look(one)]) < work.k for one in chosen)
        return Plan(tuple(chosen), shape, cost, solved)

    def _cost(self, node: int, shape: Shape) -> int:
        shapes = self.work.shapes
        inside = shapes.edges(missing(shape.parts, self.work.look(node).parts))
        return inside + max(0, shapes.degree(shape) - len(self.work.near[node]))
