"""A partition to begin with: nodes with the same neighbours side by side, cut into groups."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int32, Int64

_WORK = 600_000_000  # edges looked at, all halvings together


def first_groups(graph: Graph, k: int) -> Int32:
    """A group per node, each of k people or slightly more; the same for the same graph."""
    from shoal.graphs.methods.grouping import initial_partition_kernels as kernels

    groups = max(graph.nodes // k, 1)
    limits = _limits(graph.nodes, groups)
    order = order_by_degree(graph)
    levels = max(int(np.ceil(np.log2(groups))), 1)
    rounds = int(np.clip(_WORK // (2 * levels * (len(graph.targets) + graph.nodes)), 2, 20))
    logs = np.log(np.maximum(np.arange(int(graph.degrees.max(initial=0)) + 3), 1))
    counts = np.zeros((graph.nodes, 2), np.int32)
    kernels.bisect(order, limits, graph.offsets, graph.targets, logs, rounds, counts)
    belongs = np.empty(graph.nodes, np.int32)
    belongs[order] = np.repeat(np.arange(groups, dtype=np.int32), np.diff(limits))
    return belongs


def any_groups(nodes: int, k: int, chance: np.random.Generator) -> Int32:
    """A group per node at random; the number of groups too, among those that can be filled."""
    groups = int(chance.integers(-(-nodes // (2 * k - 1)), nodes // k + 1))
    sizes = np.diff(_limits(nodes, groups))
    return chance.permutation(np.repeat(np.arange(groups, dtype=np.int32), sizes))


def order_by_degree(graph: Graph) -> Int32:
    """Nodes by degree, and those of one degree by their best linked neighbour."""
    degrees = graph.degrees
    ranks = np.zeros(graph.nodes, np.int64)
    filled = degrees > 0
    # Of the neighbours, the one of highest degree: leaves of one hub then stand together.
    strength = degrees[graph.targets] * graph.nodes + graph.targets
    if len(strength):
        ranks[filled] = np.maximum.reduceat(strength, graph.offsets[:-1][filled])
    return np.lexsort((ranks, degrees)).astype(np.int32)


def _limits(nodes: int, groups: int) -> Int64:
    """Where groups end if all are as equal in size as can be."""
    return np.arange(groups + 1, dtype=np.int64) * nodes // groups
