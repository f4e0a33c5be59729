"""What the tests of partitions share: graphs, partitions, and their cost counted plainly."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from shoal.graphs.graph import Graph


def random_graph(nodes: int, share: float, seed: int) -> Graph:
    """Every pair is linked with the same probability."""
    chance = np.random.default_rng(seed)
    edges = [pair for pair in combinations(range(nodes), 2) if chance.random() < share]
    return Graph.of_edges(nodes, [one for one, _ in edges], [other for _, other in edges])


def planted(groups: int, size: int, seed: int) -> Graph:
    """Groups that are complete or empty inside, and linked completely or not at all: one world only."""
    chance = np.random.default_rng(seed)
    linked = chance.random((groups, groups)) < 0.4
    order = chance.permutation(groups * size)
    edges = [
        (order[one], order[other])
        for one, other in combinations(range(groups * size), 2)
        if linked[one // size, other // size]
    ]
    return Graph.of_edges(groups * size, [one for one, _ in edges], [other for _, other in edges])


def cost(graph: Graph, group_of: Sequence[int]) -> float:
    """The logarithm of the number of worlds, by whole numbers."""
    groups = sorted(set(map(int, group_of)))
    people = {group: [node for node, own in enumerate(group_of) if own == group] for group in groups}
    total = 0.0
    for at, one in enumerate(groups):
        for other in groups[at:]:
            if one == other:
                pairs = list(combinations(people[one], 2))
            else:
                pairs = [(here, there) for here in people[one] for there in people[other]]
            total += math.log(math.comb(len(pairs), sum(graph.has(*pair) for pair in pairs)))
    return total


def partitions(nodes: int, k: int) -> Iterator[tuple[int, ...]]:
    """All partitions into groups of at least k, each once."""

    def grown(start: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        left = nodes - len(start)
        if sum(max(k - size, 0) for size in sizes) > left:
            return
        if not left:
            yield start
            return
        for group in range(len(sizes) + 1):
            grows = tuple(size + (at == group) for at, size in enumerate((*sizes, 0)))
            yield from grown((*start, group), grows if group == len(sizes) else grows[:-1])

    return grown((), ())


def fewest(graph: Graph, k: int) -> float:
    """The cost of the best partition, by trying all."""
    return min(cost(graph, group_of) for group_of in partitions(graph.nodes, k))
