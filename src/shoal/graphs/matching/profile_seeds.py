"""Who is who among those with the most friends, by how many friends their friends have.

Ding, Ma, Wu, Xu, "Efficient random graph matching via degree profiles", 2021, compare the degrees of
neighbours; here their square roots, whose spread does not grow with the number, and neighbours of neighbours,
too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.matching.matching import NOBODY

HUBS = 1500  # those with the most friends, of whom most are in both networks
SEEDS = 50  # pairs that stand out most; measured: of 50 more are right than of 200, and the rest follows
_BINS = 40  # two for each doubling of the number of friends


def profile_seeds(left: Graph, right: Graph, hubs: int = HUBS, seeds: int = SEEDS) -> Int32:
    """Per left node, the node that is most likely the same person, for the few that stand out; -1 else."""
    left, right = left.undirected(), right.undirected()
    ours, theirs = _most_friends(left, hubs), _most_friends(right, hubs)
    # A network with fewer edges shows fewer friends of everybody.
    here, there = _profiles(left, ours, right.edges / max(left.edges, 1)), _profiles(right, theirs, 1.0)
    apart = (here**2).sum(axis=1)[:, None] + (there**2).sum(axis=1)[None, :] - 2 * here @ there.T
    nearest = apart.argmin(axis=1)
    mutual = apart.argmin(axis=0)[nearest] == np.arange(len(ours))
    found = np.full(left.nodes, NOBODY)
    if min(apart.shape) < 2:
        return found
    two = np.partition(apart, 1, axis=1)
    margin = np.where(mutual, two[:, 1] - two[:, 0], -1.0)
    chosen = np.argsort(-margin, kind="stable")[:seeds]
    chosen = chosen[margin[chosen] > 0]
    found[ours[chosen]] = theirs[nearest[chosen]]
    return found


def _most_friends(graph: Graph, number: int) -> Int64:
    return np.argsort(-graph.degrees, kind="stable")[:number]


def _profiles(graph: Graph, nodes: Int64, ratio: float) -> NDArray[np.float64]:
    """Per node, how many friends it has by their number of friends, and how many these have in turn."""
    kind = np.clip(2 * np.log2(np.maximum(graph.degrees * ratio, 1)), 0, _BINS - 1).astype(np.int64)
    friends, ends = count_kinds(graph.offsets, graph.targets, kind, nodes, _BINS)
    # Friends of friends are many; by this they tell as much as friends do.
    share = ratio**2 / (1 + ratio * graph.degrees[nodes])
    return np.sqrt(np.hstack((ratio * friends, share[:, None] * ends)))


@compiled
def count_kinds(offsets: Int64, targets: Int32, kind: Int64, nodes: Int64, kinds: int) -> tuple[Int64, Int64]:
    """Of some nodes, how many friends of each kind they have, and how many of these their friends have."""
    of_friends = np.zeros((len(offsets) - 1, kinds), np.int32)
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            of_friends[node, kind[targets[at]]] += 1
    friends, ends = np.zeros((len(nodes), kinds), np.int64), np.zeros((len(nodes), kinds), np.int64)
    for row in range(len(nodes)):
        node = nodes[row]
        for each in range(kinds):
            friends[row, each] = of_friends[node, each]
        for at in range(offsets[node], offsets[node + 1]):
            for each in range(kinds):
                ends[row, each] += of_friends[targets[at], each]
    return friends, ends
