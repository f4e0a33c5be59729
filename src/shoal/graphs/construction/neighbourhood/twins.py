"""The dense way: make nodes twins, who know each other and the same people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shoal.graphs.construction.neighbourhood.shapes import Nodes
from shoal.graphs.construction.neighbourhood.work import Work


_CANDIDATES = 200
_UNITS = 10
BONUS = 5
ORDER = -1


@dataclass(frozen=True)
class Union:
    """Nodes to put into a unit (the next number: a new one), and how many edges that takes for each put right."""

    nodes: tuple[int, ...]
    unit: int
    price: float


class Twins:
    """Units of at least k twins each.

    Twins can change places without anybody noticing, so that their neighbourhoods are isomorphic, and they
    stay so whatever happens elsewhere: an edge to one of them becomes an edge to all. Nobody leaves a unit,
    so this ends, at the latest when everybody is in one.
    """

    def __init__(self, work: Work, kinds: list[int], tick: Callable[[], None]) -> None:
        self.work = work
        self.kinds = kinds
        self.tick = tick

    def gather(self, nodes: Iterable[int]) -> None:
        """Put nodes into units, the best connected first."""
        work = self.work
        waiting = {node for node in nodes if work.unit[node] < 0}
        for node in sorted(waiting, key=lambda one: (ORDER * len(work.near[one]), one)):
            if work.unit[node] < 0:
                self.tick()
                self._settle(node, waiting)

    def _settle(self, node: int, waiting: Nodes) -> None:
        """Join the unit or the people that take the fewest edges for each node put right."""
        work = self.work
        shared = self._shared(node)
        own = len(work.near[node]) + 1

        def apart(other: int) -> tuple[int, int]:
            return own + len(work.near[other]) + 1 - 2 * shared[other], other

        kind = self.kinds[node]
        pool = [one for one in shared if one != node and work.unit[one] < 0 and self.kinds[one] == kind]
        if len(pool) < work.k - 1:
            pool = [
                one for one, its in enumerate(self.kinds) if its == kind and work.unit[one] < 0 and one != node
            ]
        close = sorted(pool, key=apart)[: max(_CANDIDATES, work.k - 1)]
        heads = [unit[0] for unit in work.units if self.kinds[unit[0]] == kind]
        plans = [self._joining(node, head) for head in sorted(heads, key=apart)[:_UNITS]]
        if len(close) >= work.k - 1:
            plans.append(self._gathered(node, close, waiting))
        plan = min(plans, key=lambda one: one.price)
        if plan.unit == len(work.units):
            work.units.append([])
        self._join(plan.unit, list(plan.nodes))

    def _joining(self, node: int, head: int) -> Union:
        unit = self.work.units[self.work.unit[head]]
        circle = self.work.near[head] | {head}
        more = self._whole([node])
        cost = len(more - circle) * len(unit) + len(circle - self.work.near[node]) - 1
        return Union((node,), self.work.unit[head], float(cost))

    def _gathered(self, node: int, close: list[int], waiting: Nodes) -> Union:
        """The node and those of the people close to it that add the fewest edges, one after the other."""
        work = self.work
        chosen = [node]
        circle = self._whole(chosen)
        there = len(circle & work.near[node]) + 1
        wholes = {one: self._whole([one]) for one in close}
        while len(chosen) < work.k:
            size = len(chosen)

            def growth(one: int) -> tuple[float, int]:
                more = len(wholes[one] - circle)
                edges = more * size + len(circle) + more - len(work.near[one]) - 1
                return edges - BONUS * (one in waiting), one

            best = min(wholes, key=growth)
            circle |= wholes.pop(best)
            there += len(work.near[best]) + 1
            chosen.append(best)
        cost = len(chosen) * len(circle) - there
        return Union(tuple(chosen), len(work.units), cost / sum(one in waiting for one in chosen))

    def _whole(self, nodes: list[int]) -> Nodes:
        """Everybody whom some nodes know or are, with the rest of their units."""
        work = self.work
        found: Nodes = set()
        for friend in set(nodes).union(*(work.near[one] for one in nodes)):
            if friend not in found:
                found.update(work.units[work.unit[friend]] if work.unit[friend] >= 0 else (friend,))
        return found

    def _shared(self, node: int) -> Counter[int]:
        """How many people each node knows together with this one, both of them included."""
        shared: Counter[int] = Counter()
        for friend in self.work.near[node]:
            shared.update(self.work.near[friend])
            shared[friend] += 2  # the friend knows the two of them
        shared[node] = 0
        return shared

    def _join(self, number: int, nodes: list[int]) -> None:
        """Put nodes into a unit, and give all of it the friends of each."""
        work = self.work
        unit = work.units[number]
        unit += nodes
        for node in nodes:
            work.unit[node] = number
            work.stale.add(node)
        whole = self._whole(unit)
        for one in unit:
            for friend in whole - work.near[one]:
                if friend != one and friend not in work.near[one]:
                    work.link(one, friend)
