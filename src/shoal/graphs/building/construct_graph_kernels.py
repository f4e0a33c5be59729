"""The compiled loops of Liu and Terzi's constructions. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.adjacency_kernels import State, has_edge, random_below

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

RANDOM, HIGHEST, LOWEST = 0, 1, 2


@compiled
def subject_to(offsets: Int64, targets: Int32, wanted: Int64, ranked: Int64) -> bool:
    """Inequality 9.8 for every l up to the number of nodes that want an edge; beyond it nothing changes.

    `ranked` are those nodes by falling want. A node outside of the first l counts min(l - d^l, want): it is
    full once l reaches want + d^l, so a table of these thresholds replaces the sum.
    """
    most = len(ranked)
    inside = np.zeros(len(wanted), np.bool_)
    threshold = wanted.copy()
    filling = np.zeros(most + 2, np.int64)
    for node in ranked:
        filling[min(threshold[node], most + 1)] += 1
    growing, outer, within, asked = most, 0, 0, 0
    for size in range(most):
        node = ranked[size]
        if size < threshold[node]:
            outer -= size - (threshold[node] - wanted[node])
            growing -= 1
            filling[min(threshold[node], most + 1)] -= 1
        else:
            outer -= wanted[node]
        inside[node] = True
        stopped = 0
        for at in range(offsets[node], offsets[node + 1]):
            other = targets[at]
            if inside[other]:
                within += 1
            elif wanted[other] > 0:
                if size < threshold[other]:
                    stopped += 1
                    filling[min(threshold[other], most + 1)] -= 1
                    filling[min(threshold[other] + 1, most + 1)] += 1
                threshold[other] += 1
        outer += growing - stopped
        growing -= filling[size + 1]
        asked += wanted[node]
        if asked > (size + 1) * size - 2 * within + outer:
            return False
    return True


@compiled
def _lower(node: int, left: Int64, line: Int64, place: Int64, start: Int64) -> None:
    """One less is left for a node: it changes places with the first of its value."""
    first = start[left[node]]
    other = line[first]
    line[place[node]], line[first] = other, node
    place[other], place[node] = place[node], first
    start[left[node]] += 1
    left[node] -= 1


@compiled
def join_nodes(
    offsets: Int64, targets: Int32, wanted: Int64, shuffled: Int64, order: int, lenient: bool, state: State
) -> tuple[Int32, Int32, Int64]:
    """New edges until nobody wants one: algorithms 9.2 (the graph has no edges) and 9.3.

    A node is picked by `order` and joined to the others that want most and are no neighbours. Where there are
    too few of them, the answer is what is still wanted; a lenient search goes on with the other nodes.
    """
    nodes = len(wanted)
    left = wanted.copy()
    unmet = np.zeros(nodes, np.int64)
    start = np.zeros(wanted.max() + 2 if nodes else 2, np.int64)  # where nodes that want a number begin
    for node in range(nodes):
        start[left[node] + 1] += 1
    for value in range(1, len(start)):
        start[value] += start[value - 1]
    line, place, free = np.empty(nodes, np.int64), np.empty(nodes, np.int64), start.copy()
    for node in shuffled:
        place[node] = free[left[node]]
        line[place[node]] = node
        free[left[node]] += 1
    sources, ends = np.empty(wanted.sum(), np.int32), np.empty(wanted.sum(), np.int32)
    number = 0
    marked = np.full(nodes, -1, np.int64)
    chosen = np.empty(nodes, np.int64)
    while start[1] < nodes:
        if order == RANDOM:
            node = line[start[1] + random_below(state, nodes - start[1])]
        else:
            node = line[nodes - 1 if order == HIGHEST else start[1]]
        want = left[node]
        for _ in range(want):
            _lower(node, left, line, place, start)
        for at in range(offsets[node], offsets[node + 1]):
            marked[targets[at]] = node
        found, at = 0, nodes - 1
        while found < want and at >= start[1]:
            if marked[line[at]] != node:
                chosen[found] = line[at]
                found += 1
            at -= 1
        unmet[node] = want - found
        if found < want and not lenient:
            return sources[:0], ends[:0], unmet
        for index in range(found):
            sources[number], ends[number] = node, chosen[index]
            number += 1
            _lower(chosen[index], left, line, place, start)
    return sources[:number], ends[:number], unmet


@compiled
def _has(offsets: Int64, rows: Int32, one: int, other: int) -> bool:
    """Whether there is an edge; rows have lost their order."""
    if offsets[one + 1] - offsets[one] > offsets[other + 1] - offsets[other]:
        one, other = other, one
    for at in range(offsets[one], offsets[one + 1]):  # noqa: SIM110 - Numba compiles loops
        if rows[at] == other:
            return True
    return False


@compiled
def _replace(offsets: Int64, rows: Int32, node: int, old: int, new: int) -> None:
    """One neighbour for another."""
    for at in range(offsets[node], offsets[node + 1]):
        if rows[at] == old:
            rows[at] = new
            return


@compiled
def swap_greedily(
    original_offsets: Int64,
    original: Int32,
    offsets: Int64,
    rows: Int32,
    sources: Int32,
    targets: Int32,
    sampled: int,
    patience: int,
    state: State,
) -> int:
    """Algorithm 9.6 in place: the best valid swap of a sample of edges, until samples have none; how many.

    A swap takes i–k and j–l and gives i–j and k–l, or (with j and l exchanged) i–l and j–k.
    """
    known = np.empty(len(sources), np.bool_)
    for edge in range(len(sources)):
        known[edge] = has_edge(original_offsets, original, sources[edge], targets[edge])
    sample = np.empty(sampled, np.int64)
    swaps = misses = 0
    while misses < patience and len(sources) > 1:
        for index in range(sampled):
            sample[index] = random_below(state, len(sources))
        best, first, second, turned = 0, -1, -1, False
        for index in range(sampled):
            i, k = sources[sample[index]], targets[sample[index]]
            for other in range(index):
                lost = int(known[sample[index]]) + int(known[sample[other]])
                if 2 - lost <= best:
                    continue
                for turn in (False, True):
                    j, l = sources[sample[other]], targets[sample[other]]  # noqa: E741 - the paper's letters
                    if turn:
                        j, l = l, j  # noqa: E741
                    if i in (j, l) or k in (j, l):
                        continue
                    gain = -lost
                    gain += int(has_edge(original_offsets, original, i, j))
                    gain += int(has_edge(original_offsets, original, k, l))
                    if gain > best and not _has(offsets, rows, i, j) and not _has(offsets, rows, k, l):
                        best, first, second, turned = gain, sample[index], sample[other], turn
        if best == 0:
            misses += 1
            continue
        misses = 0
        swaps += 1
        i, k, j, l = sources[first], targets[first], sources[second], targets[second]  # noqa: E741
        if turned:
            j, l = l, j  # noqa: E741
        _replace(offsets, rows, i, k, j)
        _replace(offsets, rows, k, i, l)
        _replace(offsets, rows, j, l, i)
        _replace(offsets, rows, l, j, k)
        sources[first], targets[first], sources[second], targets[second] = i, j, k, l
        known[first] = has_edge(original_offsets, original, i, j)
        known[second] = has_edge(original_offsets, original, k, l)
    return swaps
