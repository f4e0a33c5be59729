"""People whom an attacker knows well: cliques, with everybody's number of friends and how many they share.

The release is searched for the one clique with such figures. Narayanan and Shmatikov, "De-anonymizing social
networks", 2009, section 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.matching.matching import NOBODY

SIZE = 5  # people of a clique
CLIQUES = 40  # that are tried, around those with the most friends: few others have as many
_DEVIATIONS = 2.0  # by which a number may be off that edges were drawn for
_MARGIN = 6.0  # by which the best clique must beat the next, in squares of deviations
_STEPS = 4_000  # pairs whose shared friends are counted for one clique; more, and its figures are too common


def clique_seeds(left: Graph, right: Graph, size: int = SIZE, cliques: int = CLIQUES) -> Int32:
    """Per left node, the node that is the same person, for cliques that only one fits well; -1 else."""
    left, right = left.undirected(), right.undirected()
    found = np.full(left.nodes, NOBODY)
    taken: set[int] = set()
    for clique in _cliques(left, size, cliques):
        nodes = _Search(left, right, clique).best()
        if nodes is not None and not taken.intersection(nodes):
            found[clique] = nodes
            taken.update(nodes)
    return found


def _cliques(graph: Graph, size: int, number: int) -> Iterator[list[int]]:
    """Cliques without a common member, each around somebody with many friends."""
    used: set[int] = set()
    for first in np.argsort(-graph.degrees, kind="stable")[: 20 * number].tolist():
        if number == 0:
            return
        clique, near = [first], np.setdiff1d(graph.neighbours(first), list(used))
        while len(clique) < size and len(near):
            clique.append(int(near[np.argmax(graph.degrees[near])]))
            near = np.intersect1d(near, graph.neighbours(clique[-1]), assume_unique=True)
        if len(clique) == size and first not in used:
            used.update(clique)
            number -= 1
            yield clique


class _Search:
    """All cliques of the right network with such degrees and shared friends, and how well each fits."""

    def __init__(self, left: Graph, right: Graph, clique: list[int]) -> None:
        self.right = right
        # A network with fewer edges shows fewer friends of everybody, and fewer yet that two people share.
        ratio = right.edges / max(left.edges, 1)
        self.degrees = [left.degrees[node] * ratio for node in clique]
        self.shared = [[_common(left, one, other) * ratio**2 for other in clique] for one in clique]
        self.answers: list[tuple[float, list[int]]] = []
        self.steps = 0

    def best(self) -> list[int] | None:
        """The one that fits best, if no other one comes near."""
        self._extend([], np.arange(self.right.nodes), 0.0)
        if not self.answers or self.steps > _STEPS:
            return None
        first, *others = sorted(self.answers)
        return None if others and others[0][0] - first[0] < _MARGIN else first[1]

    def _extend(self, chosen: list[int], near: Int64, off: float) -> None:
        place = len(chosen)
        if place == len(self.degrees):
            self.answers.append((off, chosen))
            return
        by_degree = _off(self.right.degrees[near], self.degrees[place])
        for node, more in zip(near.tolist(), by_degree.tolist(), strict=True):
            if more > _DEVIATIONS**2 or self.steps > _STEPS:
                continue
            self.steps += len(chosen)
            by_friends = [
                float(_off(_common(self.right, node, other), self.shared[place][at]))
                for at, other in enumerate(chosen)
            ]
            if not by_friends or max(by_friends) <= _DEVIATIONS**2:
                rest = np.intersect1d(near, self.right.neighbours(node), assume_unique=True)
                self._extend([*chosen, node], rest, off + more + sum(by_friends))


def _common(graph: Graph, one: int, other: int) -> int:
    return len(np.intersect1d(graph.neighbours(one), graph.neighbours(other), assume_unique=True))


def _off(seen: Int64 | int, expected: float) -> NDArray[np.float64]:
    """By how many deviations a number is off, squared; of numbers that are sums of draws."""
    return np.asarray((seen - expected) ** 2 / (expected + 1))
