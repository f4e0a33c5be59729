"""The dense way: make nodes twins, who know each other and the same people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from shoal.graphs.methods.neighbourhood.shapes import Nodes
from shoal.graphs.methods.neighbourhood.working_graph import Work

_CANDIDATES = 100  # people looked at closely, of those who share most friends
_UNITS = 10
_LOOKS = 200_000  # friends of friends that are counted, at most


@dataclass(frozen=True)
class Union:
    """Nodes to put into a unit (the next number: a new one), and the edges for each that is put right."""

    nodes: tuple[int, ...]
    unit: int
    price: float


class Twins:
    """Units of at least k twins each.

    Twins can change places without anybody noticing, so that their neighbourhoods are isomorphic, and they
    stay so whatever happens elsewhere: an edge to one of them becomes an edge to all. Nobody leaves a unit,
    so this ends, at the latest when everybody is in one. Only nodes of one kind are twins; every kind must
    have k nodes.
    """

    def __init__(self, work: Work, kinds: Sequence[int], tick: Callable[[int], None]) -> None:
        self.work = work
        self.kinds = kinds
        self.tick = tick
        self.bonus = 4 * work.k  # edges worth spending so as to put one more unsafe node right at once

    def gather(self, nodes: Iterable[int], most: int) -> bool:
        """Put nodes into units, the best connected first; False when that took too many edges."""
        work = self.work
        waiting = {node for node in nodes if work.unit[node] < 0}
        for node in sorted(waiting, key=lambda one: (-len(work.near[one]), one)):
            if work.added > most:
                return False
            if work.unit[node] < 0:
                self.tick(len(waiting))
                self._settle(node, waiting)
            waiting.discard(node)
        return work.added <= most

    def _settle(self, node: int, waiting: Nodes) -> None:
        """Join the unit or gather the people that take the fewest edges for each node put right."""
        work = self.work
        shared = self._shared(node)
        own = len(work.near[node]) + 1

        def apart(other: int) -> tuple[int, int]:
            return own + len(work.near[other]) + 1 - 2 * shared[other], other

        def mates(pool: Iterable[int]) -> list[int]:
            kind = self.kinds[node]
            return [one for one in pool if one != node and work.unit[one] < 0 and self.kinds[one] == kind]

        pool = mates(shared)
        if len(pool) < work.k - 1:
            pool = mates(range(len(work.near)))
        heads = [unit[0] for unit in work.units if self.kinds[unit[0]] == self.kinds[node]]
        plans = [self._joining(node, head) for head in sorted(heads, key=apart)[:_UNITS]]
        if len(pool) >= work.k - 1:
            close = sorted(pool, key=apart)[: max(_CANDIDATES, work.k - 1)]
            plans.append(self._gathered(node, close, waiting))
        self._join(min(plans, key=lambda plan: plan.price))

    def _shared(self, node: int) -> Counter[int]:
        """How many people each node knows together with this one, both included; of hubs an estimate."""
        near = self.work.near
        looks = sum(len(near[friend]) for friend in near[node])
        step = 1 + looks // _LOOKS
        shared: Counter[int] = Counter()
        for friend in sorted(near[node])[::step]:
            shared.update(near[friend])
        if step > 1:
            for other in shared:
                shared[other] *= step
        for friend in near[node]:
            shared[friend] += 2  # a friend knows the two of them
        return shared

    def _joining(self, node: int, head: int) -> Union:
        work = self.work
        circle = work.near[head] | {head}
        more = self._whole([node]) - circle
        cost = len(more) * len(work.units[work.unit[head]]) + len(circle - work.near[node])
        return Union((node,), work.unit[head], float(cost))

    def _gathered(self, node: int, close: Sequence[int], waiting: Nodes) -> Union:
        """The node and those of the people close to it that add the fewest edges, one after the other."""
        work = self.work
        chosen = [node]
        circle = self._whole(chosen)
        wholes = {one: self._whole([one]) for one in close}
        while len(chosen) < work.k:
            growth = {}
            for one, whole in wholes.items():
                more = len(whole - circle)
                edges = more * len(chosen) + len(circle) + more - len(work.near[one]) - 1
                growth[one] = edges - self.bonus * (one in waiting)
            best = min((edges, one) for one, edges in growth.items())[1]
            circle |= wholes.pop(best)
            chosen.append(best)
        cost = sum(len(circle) - len(work.near[one]) - 1 for one in chosen)
        return Union(tuple(chosen), len(work.units), cost / sum(one in waiting for one in chosen))

    def _whole(self, nodes: Iterable[int]) -> Nodes:
        """Everybody whom some nodes know or are, with the rest of their units."""
        work = self.work
        found: Nodes = set()
        for friend in set(nodes).union(*(work.near[one] for one in nodes)):
            if friend not in found:
                found.update(work.units[work.unit[friend]] if work.unit[friend] >= 0 else (friend,))
        return found

    def _join(self, plan: Union) -> None:
        """Put nodes into a unit, and give all of it the friends of each."""
        work = self.work
        if plan.unit == len(work.units):
            work.units.append([])
        unit = work.units[plan.unit]
        unit += plan.nodes
        for node in plan.nodes:
            work.unit[node] = plan.unit
        whole = self._whole(unit)
        for one in unit:
            for friend in whole - work.near[one]:
                if friend != one and friend not in work.near[one]:
                    work.link(one, friend)
