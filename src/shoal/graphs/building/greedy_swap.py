"""GreedySwap: a graph made more like another without changing a degree (algorithm 9.6)."""

from __future__ import annotations

import math

import numpy as np

from shoal.graphs.building.construct_graph import state_of
from shoal.graphs.graph import Graph


def greedy_swap(original: Graph, built: Graph, generator: np.random.Generator, *, patience: int = 1) -> Graph:
    """Swap pairs of edges of `built` while a sample of log₂|E| edges holds a swap that helps.

    The thesis stops at the first sample without one (`patience` 1), which on sparse graphs is almost at once:
    two random edges of the power grid have ends that know each other in one case of 500.
    Definition 9.6 says that i–j and k–l are there and removes i–k and j–l; the latter is meant.
    """
    from shoal.graphs.building import construct_graph_kernels as kernels

    edges = built.edge_list()
    sources, targets, rows = edges.sources.copy(), edges.targets.copy(), built.targets.copy()
    kernels.swap_greedily(
        original.offsets,
        original.targets,
        built.offsets,
        rows,
        sources,
        targets,
        max(2, math.ceil(math.log2(max(2, built.edges)))),
        patience,
        state_of(generator),
    )
    return Graph.of_edges(built.nodes, sources, targets, labels=original.labels, kinds=original.kinds)
