"""The compiled loops of propagation; the tests have their plain twins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled, compiled_without_lock
from shoal.graphs.graph import Int32, Int64
from shoal.graphs.matching.matching import Rows

Mask = NDArray[np.bool_]
Counts = NDArray[np.int32]  # per node, its known friends: those it points to, and those who point to it
Scratch = tuple[Int64, Int32]  # shared friends of each candidate, and who is one
_OUT, _IN = 1, 1 << 32  # both directions in one number, so that memory is reached for once


@compiled_without_lock
def propagate(
    left: Rows,
    right: Rows,
    directed: bool,
    nodes: Int32,
    back: Int32,
    here: Counts,
    there: Counts,
    fixed: Mask,
    stale: Mask,
    threshold: float,
    start: int,
    stop: int,
    scratch: Scratch,
) -> int:
    """Look at the nodes of a range that are stale, one after another; how many of them were matched anew.

    `nodes` and `back` are the pairs in both directions, `here` and `there` count everybody's known friends;
    all of them are changed. Friends of whoever is matched anew are stale then.
    """
    changed = 0
    for node in range(start, stop):
        if not stale[node]:
            continue
        stale[node] = False
        if fixed[node] or here[0, node] + here[1, node] == 0:
            continue
        other, stands_out = _stands_out(left, right, directed, nodes, there, node, scratch)
        if other < 0 or stands_out < threshold or nodes[node] == other:
            continue
        taken = back[other]
        if taken >= 0 and fixed[taken]:
            continue
        again, stands_out = _stands_out(right, left, directed, back, here, other, scratch)
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
            _mark_friends(left, stale, taken)
        nodes[node], back[other] = other, node
        _tell_friends(left, here, node, 1)
        _tell_friends(right, there, other, 1)
        _mark_friends(left, stale, node)
        changed += 1
    return changed


@compiled
def _stands_out(
    left: Rows, right: Rows, directed: bool, nodes: Int32, known: Counts, node: int, scratch: Scratch
) -> tuple[int, float]:
    """The candidate with the largest cosine, and by how many deviations it beats the second: eccentricity.

    Algorithm 10.1 with rows in both directions: whom somebody points to counts only where both point to
    anybody at all, because whoever was not crawled points to nobody.
    """
    count, touched = scratch
    number, outs = _gather(left[0], left[1], node, nodes, right[2], right[3], _OUT, scratch, 0)
    ins = 0
    if directed:
        number, ins = _gather(left[2], left[3], node, nodes, right[0], right[1], _IN, scratch, number)
    crawled = left[0][node + 1] > left[0][node]
    best, second, found, total, squares = 0.0, 0.0, -1, 0.0, 0.0
    for place in range(number):
        candidate = touched[place]
        common, ours, theirs = count[candidate] >> 32, ins, known[1, candidate] if directed else 0
        if not directed or (crawled and right[0][candidate + 1] > right[0][candidate]):
            common += count[candidate] & (_IN - 1)
            ours += outs
            theirs += known[0, candidate]
        count[candidate] = 0
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
def _gather(
    offsets: Int64,
    friends: Int32,
    node: int,
    nodes: Int32,
    there: Int64,
    candidates: Int32,
    step: int,
    scratch: Scratch,
    number: int,
) -> tuple[int, int]:
    """Count the shared friends of everybody in one direction; how many candidates, how many known friends."""
    count, touched = scratch
    known = 0
    for at in range(offsets[node], offsets[node + 1]):
        friend = nodes[friends[at]]
        if friend < 0:
            continue
        known += 1
        for place in range(there[friend], there[friend + 1]):
            candidate = candidates[place]
            if count[candidate] == 0:
                touched[number] = candidate
                number += 1
            count[candidate] += step
    return number, known


@compiled
def count_known(rows: Rows, nodes: Int32) -> Counts:
    """Per node, its friends in a pair in both directions."""
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


@compiled
def _mark_friends(rows: Rows, stale: Mask, node: int) -> None:
    for at in range(rows[2][node], rows[2][node + 1]):
        stale[rows[3][at]] = True
    for at in range(rows[0][node], rows[0][node + 1]):
        stale[rows[1][at]] = True
