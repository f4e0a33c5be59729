"""Some people whom an attacker knows well: cliques, with everybody's number of friends and how many they share.

The release is searched for the one clique with such figures. Narayanan and Shmatikov, "De-anonymizing social
networks", 2009, section 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.matching.matching import NOBODY

SIZE = 4  # people of a clique
CLIQUES = 60  # that are tried, around those with the most friends: few others have as many
_DEVIATIONS = 2.0  # by which a number may be off that edges were drawn for


def clique_seeds(left: Graph, right: Graph, size: int = SIZE, cliques: int = CLIQUES) -> Int32:
    """Per left node, the node that is the same person, for cliques of which there is just one; -1 else."""
    left, right = left.undirected(), right.undirected()
    # A network with fewer edges shows fewer friends of everybody, and fewer yet that two people share.
    ratio = right.edges / max(left.edges, 1)
    found = np.full(left.nodes, NOBODY)
    taken: set[int] = set()
    for clique in _cliques(left, size, cliques):
        answers = _alike(left, right, clique, ratio)
        if len(answers) == 1 and not taken.intersection(answers[0]):
            found[clique] = answers[0]
            taken.update(answers[0])
    return found


def _cliques(graph: Graph, size: int, number: int) -> Iterator[list[int]]:
    """Cliques without a common member, each around somebody with many friends."""
    used: set[int] = set()
    order = np.argsort(-graph.degrees, kind="stable")[: 20 * number]
    for first in order.tolist():
        if number == 0:
            return
        clique, near = [first], graph.neighbours(first)
        while len(clique) < size and len(near):
            near = near[[node not in used for node in near.tolist()]]
            if not len(near):
                break
            clique.append(int(near[np.argmax(graph.degrees[near])]))
            near = np.intersect1d(near, graph.neighbours(clique[-1]), assume_unique=True)
        if len(clique) == size and first not in used:
            used.update(clique)
            number -= 1
            yield clique


def _alike(left: Graph, right: Graph, clique: list[int], ratio: float) -> list[list[int]]:
    """Cliques of the right network with such degrees and shared friends, in the same order; two at most."""
    shared = [[_common(left, one, other) for other in clique] for one in clique]
    answers: list[list[int]] = []

    def extend(chosen: list[int], near: Int64) -> None:
        place = len(chosen)
        if place == len(clique):
            answers.append(chosen)
            return
        for node in near[_fits(right.degrees[near], left.degrees[clique[place]] * ratio)].tolist():
            if node in chosen or len(answers) > 1:
                continue
            if all(
                _fits(_common(right, node, other), shared[place][at] * ratio**2)
                for at, other in enumerate(chosen)
            ):
                extend([*chosen, node], np.intersect1d(near, right.neighbours(node), assume_unique=True))

    extend([], np.arange(right.nodes))
    return answers


def _common(graph: Graph, one: int, other: int) -> int:
    return len(np.intersect1d(graph.neighbours(one), graph.neighbours(other), assume_unique=True))


def _fits(seen: Int64 | int, expected: float) -> np.bool_ | np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.abs(seen - expected) <= _DEVIATIONS * np.sqrt(expected) + 1
