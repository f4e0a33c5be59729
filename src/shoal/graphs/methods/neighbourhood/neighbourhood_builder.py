"""Carry out a plan: build parts among the friends of some nodes until these look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shoal.graphs.methods.neighbourhood.shapes import Nodes, Shape, missing
from shoal.graphs.methods.neighbourhood.working_graph import Work


class Builder:
    """Adds edges around nodes without touching those that are done.

    An edge changes the neighbourhoods of its two ends and of their common friends, of nobody else. So new
    friends are people without common friends, and new edges run between friends whom few others join.
    """

    def __init__(self, work: Work, done: Nodes) -> None:
        self.work = work
        self.done = done
        self.taken: Counter[Shape] = Counter()  # members that classes lost since they were counted
        self.looks: dict[tuple[int, int], Shape] = {}  # who got a place first: others shall look the same

    def carry_out(self, members: Sequence[int], shape: Shape) -> bool:
        """Bring the members to one shape, or as near as people are found for it."""
        self.done = self.done | set(members)
        given = True
        for node in members:  # all of them: the next try builds on what is there
            given &= self._give(node, shape)
        done = given and self._evened(members, shape)
        self.work.refresh()
        return done

    def usable(self, node: int) -> list[int]:
        """Lonely friends that may be changed; those with a common look first."""
        work = self.work
        around = work.near[node]
        free = [one for one in around if self._free(one) and not work.near[one] & around]
        return sorted(free, key=lambda one: (-len(work.classes[work.look(one)]), len(work.near[one]), one))

    def _free(self, node: int) -> bool:
        """Whether a node may be changed: it is not done, and its class does not depend on it."""
        work = self.work
        if node in self.done:
            return False
        crowd = len(work.classes[work.look(node)])
        return crowd < work.k or crowd - self.taken[work.look(node)] > work.k

    def _fresh(self) -> None:
        self.work.refresh()
        self.taken.clear()

    def _give(self, node: int, shape: Shape) -> bool:
        """Build every part of a shape that a node lacks, the largest first."""
        self._fresh()
        sizes = self.work.shapes.sizes
        usable = self.usable(node)
        lacking = missing(shape.parts, self.work.look(node).parts)
        return all(self._build(node, part, usable) for part in sorted(lacking, key=lambda one: -sizes[one]))

    def _build(self, node: int, part: int, usable: list[int]) -> bool:
        """Build a part among the friends of a node, of lonely ones first and then of new ones."""
        placed: list[int] = []
        for place, near in enumerate(self.work.shapes.known[part].near):
            ties = [placed[other] for other in near if other < place]
            found = self._found(node, (part, place), usable, placed, ties)
            if found is None:
                return False
            for tie in ties:
                self.work.link(tie, found)
            placed.append(found)
        return True

    def _found(
        self, node: int, role: tuple[int, int], usable: list[int], placed: list[int], ties: list[int]
    ) -> int | None:
        work = self.work
        look = self.looks.get(role)
        fitting = [one for one in usable if self._free(one) and self._suits(node, one, placed, ties)]
        found = next((one for one in fitting if look in (None, work.look(one))), None)
        if found is None:
            found = self._befriended(node, placed, look)
        if found is None and fitting:
            found = fitting[0]
        if found is None:
            found = self._befriended(node, placed)
        if found is None:
            return None
        own = work.look(found)
        if found in usable:
            usable.remove(found)
            self.taken[own] += 1
        else:
            own = Shape(own.lonely + 1, own.parts)
        self.looks.setdefault(role, own)
        return found

    def _suits(self, node: int, one: int, placed: Sequence[int], ties: Sequence[int]) -> bool:
        near = self.work.near
        if any(one in near[other] for other in placed):
            return False
        return all(near[one] & near[tie] == {node} for tie in ties)

    def _befriended(self, node: int, placed: Sequence[int], look: Shape | None = None) -> int | None:
        """A new friend without common friends, somebody whom few will miss and who then has a given look."""
        work = self.work
        near = work.near
        order = sorted(work.classes.items(), key=lambda item: -len(item[1]))
        # Whoever is one or two steps away from somebody would become or get a common friend.
        close = {node, *near[node]}.union(*(near[friend] for friend in near[node]))
        for other in placed:
            close |= near[other].union(*(near[friend] for friend in near[other]))
        work.looks += len(close) + len(order)
        for strict in (True, False):
            for shape, members in order:
                up = Shape(shape.lonely + 1, shape.parts)
                if look is not None and up != look:
                    continue
                if strict and (len(members) <= work.k or len(work.classes.get(up, ())) < work.k):
                    continue
                for one in sorted(members - close):
                    if one not in work.stale and self._free(one):
                        work.link(node, one)
                        self.taken[shape] += 1
                        return one
        return None

    def _evened(self, members: Sequence[int], shape: Shape) -> bool:
        """Give everybody as many lonely friends as the one with most of them has."""
        self._fresh()
        most = max(self.work.look(one).lonely for one in members)
        if len(members) == 1:
            most = max(most, shape.lonely)
        for node in members:
            self._fresh()
            if any(self._befriended(node, ()) is None for _ in range(most - self.work.look(node).lonely)):
                return False
        return True
