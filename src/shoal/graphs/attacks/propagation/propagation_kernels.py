"""The compiled loops of propagation; the tests have their plain twins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.graph import Int32
from shoal.graphs.matching.matching import Rows

Mask = NDArray[np.bool_]
Counts = NDArray[np.int32]  # per node, its known friends: those it points to, and those who point to it


@compiled
def propagate(
    left: Rows,
    right: Rows,
    directed: bool,
    nodes: Int32,
    back: Int32,
    fixed: Mask,
    threshold: float,
    rounds: int,
) -> int:
    """Extend a matching until a round changes nothing; the number of rounds.

    `nodes` and `back` are the pairs in both directions and are changed. Everybody is looked at in every
    round, whoever is matched already, too.
    """
    size = max(len(left[0]), len(right[0]))
    count, touched = np.zeros((2, size), np.int32), np.empty(size, np.int32)
    here, there = _count_known(left, nodes), _count_known(right, back)
    for done in range(rounds):
        changed = 0
        for node in range(len(left[0]) - 1):
            if fixed[node] or here[0, node] + here[1, node] == 0:
                continue
            other, stands_out = _stands_out(left, right, directed, nodes, there, node, count, touched)
            if other < 0 or stands_out < threshold or nodes[node] == other:
                continue
            taken = back[other]
            if taken >= 0 and fixed[taken]:
                continue
            again, stands_out = _stands_out(right, left, directed, back, here, other, count, touched)
            if again != node or stands_out < threshold:
                continue
            if nodes[node] >= 0:
                back[nodes[node]] = -1
                _tell_friends(left, here, node, -1)
                _tell_friends(right, there, nodes[node], -1)
            if taken >= 0:
                nodes[taken] = -1
                _tell_friends(left, here, taken, -1)
                _tell_friends(right, there, other, -1)
            nodes[node], back[other] = other, node
            _tell_friends(left, here, node, 1)
            _tell_friends(right, there, other, 1)
            changed += 1
        if changed == 0:
            return done + 1
    return rounds


@compiled
def _stands_out(
    left: Rows,
    right: Rows,
    directed: bool,
    nodes: Int32,
    known: Counts,
    node: int,
    count: Counts,
    touched: Int32,
) -> tuple[int, float]:
    """The candidate with the largest cosine, and by how many deviations it beats the second: eccentricity.

    Algorithm 10.1 with rows in both directions: whom somebody points to counts only where both point to
    anybody at all, because whoever was not crawled points to nobody.
    """
    number, outs, ins = 0, 0, 0
    for at in range(left[0][node], left[0][node + 1]):
        friend = nodes[left[1][at]]
        if friend < 0:
            continue
        outs += 1
        for place in range(right[2][friend], right[2][friend + 1]):
            candidate = right[3][place]
            if count[0, candidate] == 0 and count[1, candidate] == 0:
                touched[number] = candidate
                number += 1
            count[0, candidate] += 1
    if directed:
        for at in range(left[2][node], left[2][node + 1]):
            friend = nodes[left[3][at]]
            if friend < 0:
                continue
            ins += 1
            for place in range(right[0][friend], right[0][friend + 1]):
                candidate = right[1][place]
                if count[0, candidate] == 0 and count[1, candidate] == 0:
                    touched[number] = candidate
                    number += 1
                count[1, candidate] += 1
    crawled = left[0][node + 1] > left[0][node]
    best, second, found, total, squares = 0.0, 0.0, -1, 0.0, 0.0
    for place in range(number):
        candidate = touched[place]
        common, ours, theirs = count[1, candidate], ins, known[1, candidate] if directed else 0
        if not directed or (crawled and right[0][candidate + 1] > right[0][candidate]):
            common += count[0, candidate]
            ours += outs
            theirs += known[0, candidate]
        count[0, candidate] = count[1, candidate] = 0
        if common == 0:
            continue
        cosine = common / np.sqrt(float(ours) * float(theirs))
        total += cosine
        squares += cosine * cosine
        if cosine > best:
            best, second, found = cosine, best, candidate
        elif cosine > second:
            second = cosine
    nobody = len(right[0]) - 1
    spread = squares / nobody - (total / nobody) ** 2
    if found < 0 or spread <= 0.0:
        return found, 0.0
    return found, (best - second) / np.sqrt(spread)


@compiled
def _count_known(rows: Rows, nodes: Int32) -> Counts:
    found = np.zeros((2, len(rows[0]) - 1), np.int32)
    for node in range(len(rows[0]) - 1):
        if nodes[node] >= 0:
            _tell_friends(rows, found, node, 1)
    return found


@compiled
def _tell_friends(rows: Rows, known: Counts, node: int, by: int) -> None:
    """Somebody is known now, or no longer: those who point to them, and whom they point to, hear of it."""
    for at in range(rows[2][node], rows[2][node + 1]):
        known[0, rows[3][at]] += by
    for at in range(rows[0][node], rows[0][node + 1]):
        known[1, rows[1][at]] += by
