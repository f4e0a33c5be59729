"""The compiled loops that put nodes with the same neighbours side by side.

Dhulipala, Kabiljo, Karrer, Ottaviano, Pupyrev and Shalita, "Compressing graphs and indexes with recursive
graph bisection", 2016. Each has a plain-Python twin in the tests.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def bisect(
    order: Int32, limits: Int64, offsets: Int64, targets: Int32, logs: Float64, rounds: int, counts: Int32
) -> None:
    """Rearrange nodes so that those with the same neighbours stand together, in place.

    Halves of the order exchange nodes while that lowers what it takes to name everybody's neighbours, then
    halves of the halves. Cuts are made at `limits` only. `counts` has a column per half, all zero.
    """
    stack = [(0, len(limits) - 1)]
    while len(stack) > 0:
        low, high = stack.pop()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        start, cut, end = limits[low], limits[middle], limits[high]
        left, right = order[start:cut], order[cut:end]
        for node in left:
            for at in range(offsets[node], offsets[node + 1]):
                counts[targets[at], 0] += 1
        for node in right:
            for at in range(offsets[node], offsets[node + 1]):
                counts[targets[at], 1] += 1
        for _ in range(rounds):
            # Both are sorted by how much a node gains on the other side, the best first.
            here = gains(left, 0, len(left), len(right), offsets, targets, logs, counts)
            there = gains(right, 1, len(right), len(left), offsets, targets, logs, counts)
            best_left, best_right = np.argsort(-here), np.argsort(-there)
            moved = 0
            while moved < min(len(left), len(right)):
                one, other = best_left[moved], best_right[moved]
                if here[one] + there[other] <= 1e-9:
                    break
                node, friend = left[one], right[other]
                left[one], right[other] = friend, node
                for at in range(offsets[node], offsets[node + 1]):
                    counts[targets[at], 0] -= 1
                    counts[targets[at], 1] += 1
                for at in range(offsets[friend], offsets[friend + 1]):
                    counts[targets[at], 0] += 1
                    counts[targets[at], 1] -= 1
                moved += 1
            if moved == 0:
                break
        for node in order[start:end]:
            for at in range(offsets[node], offsets[node + 1]):
                counts[targets[at], 0] = 0
                counts[targets[at], 1] = 0
        stack.append((low, middle))
        stack.append((middle, high))


@compiled
def gains(
    nodes: Int32,
    side: int,
    own: int,
    far: int,
    offsets: Int64,
    targets: Int32,
    logs: Float64,
    counts: Int32,
) -> Float64:
    """Per node, what crossing over saves in naming the neighbours of its neighbours."""
    found = np.zeros(len(nodes))
    log_own, log_far = math.log(own), math.log(far)
    for index in range(len(nodes)):
        node = nodes[index]
        saved = 0.0
        for at in range(offsets[node], offsets[node + 1]):
            near, away = counts[targets[at], side], counts[targets[at], 1 - side]
            saved += near * (log_own - logs[near + 1]) + away * (log_far - logs[away + 1])
            saved -= (near - 1) * (log_own - logs[near]) + (away + 1) * (log_far - logs[away + 2])
        found[index] = saved
    return found
