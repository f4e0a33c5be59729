"""Make some nodes look alike: each gets the parts that it lacks, built of friends nobody will miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from shoal.graphs.methods.neighbourhood.neighbourhood_builder import Builder
from shoal.graphs.methods.neighbourhood.shapes import Nodes, Shape, missing, together
from shoal.graphs.methods.neighbourhood.working_graph import Work

_TRIES = 3


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

    A node either takes the shape of a class that is safe already, or meets with k - 1 others in one that
    contains those of all. It leads at most three times, so this ends; what is then unsafe is left to twins.
    """

    def __init__(self, work: Work, tick: Callable[[int], None]) -> None:
        self.work = work
        self.tick = tick
        self.done: Nodes = set()
        self.tries: Counter[int] = Counter()

    def run(self, most: int, looks: int) -> bool:
        """Level until nobody is unsafe who may still lead; False when that took too many edges or looks."""
        work = self.work
        while work.added <= most and work.looks <= looks:
            work.refresh()
            left = [node for node in work.unsafe() if self.tries[node] < _TRIES]
            self.tick(len(left))
            if not left:
                return True
            node = max(left, key=lambda one: (len(work.near[one]), len(work.look(one).parts), -one))
            self.tries[node] += 1
            plan = min((*self._joins(node), *self._meetings(node)), key=lambda one: one.price, default=None)
            if plan is not None:
                Builder(work, self.done).carry_out(plan.members, plan.shape)
                self.done.update(plan.members)
        return False

    def _joins(self, node: int) -> Iterable[Plan]:
        """Take the shape of a class that is safe already."""
        work, own = self.work, self.work.look(node)
        shapes = work.shapes
        usable = len(Builder(work, self.done).usable(node))
        for shape, members in work.classes.items():
            if len(members) < work.k or missing(own.parts, shape.parts):
                continue
            new = shapes.vertices(shape.parts) - shapes.vertices(own.parts)
            # Lonely friends become part of what is built; more than are wanted cannot be sent away.
            if own.lonely - min(usable, new) <= shape.lonely:
                yield Plan((node,), shape, self._cost(node, shape), 1)

    def _meetings(self, node: int) -> Iterable[Plan]:
        """Meet with the k - 1 nearest others, of whom no class depends."""
        work = self.work
        scored = []
        for shape, members in work.classes.items():
            free = [one for one in members if one != node and one not in self.done]
            spare = len(free) if len(members) < work.k else len(members) - work.k
            if spare > 0 and free:
                scored.append((self._distance(node, shape), len(members) >= work.k, sorted(free)[:spare]))
        chosen = [node]
        for _, _, free in sorted(scored):
            chosen += free[: work.k - len(chosen)]
        if len(chosen) == work.k:
            yield self._meeting(chosen)

    def _distance(self, node: int, shape: Shape) -> int:
        own, shapes = self.work.look(node), self.work.shapes
        more, less = missing(shape.parts, own.parts), missing(own.parts, shape.parts)
        apart = abs(shapes.degree(shape) - len(self.work.near[node]))
        return shapes.edges(more) + shapes.edges(less) + apart

    def _meeting(self, chosen: Sequence[int]) -> Plan:
        work, shapes = self.work, self.work.shapes
        parts = together(work.look(one) for one in chosen)
        builder = Builder(work, self.done)
        lonely = 0
        for one in chosen:
            own = work.look(one)
            new = shapes.vertices(parts) - shapes.vertices(own.parts)
            lonely = max(lonely, own.lonely - min(len(builder.usable(one)), new))
        shape = Shape(lonely, parts)
        cost = sum(self._cost(one, shape) for one in chosen)
        solved = sum(len(work.classes[work.look(one)]) < work.k for one in chosen)
        return Plan(tuple(chosen), shape, cost, solved)

    def _cost(self, node: int, shape: Shape) -> int:
        shapes = self.work.shapes
        inside = shapes.edges(missing(shape.parts, self.work.look(node).parts))
        return inside + max(0, shapes.degree(shape) - len(self.work.near[node]))
