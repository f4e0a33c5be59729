"""A random simple graph with given degrees."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int64

ROUNDS = 5  # attempts per edge: after so many, 1 in 20,000 edges was never picked


def random_graph(degrees: Int64, chance: np.random.Generator) -> Graph:
    """A graph in which node i has degrees[i] edges; the degrees must be realisable.

    One graph is built by joining the highest first (Havel 1955, Hakimi 1962); then pairs of edges exchange
    their ends at random, which keeps degrees and forgets how it was built.
    """
    from shoal.graphs.methods.noisy_degrees import random_graph as kernels

    order = np.argsort(-degrees, kind="stable")
    sources, targets = kernels.highest_first(degrees[order])
    if len(sources) > 1:
        state = chance.integers(1, 2**63, 1, dtype=np.uint64)
        kernels.exchange(sources, targets, len(degrees), ROUNDS * len(sources), state)
    return Graph.of_edges(len(degrees), order[sources], order[targets])
