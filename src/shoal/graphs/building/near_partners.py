"""Added edges that look like true ones, at the same cost."""

from __future__ import annotations

import numpy as np

from shoal.graphs.building.construct_graph import state_of
from shoal.graphs.graph import Edges, Graph

_STEPS = 3_000_000_000  # friends of friends that are looked at


def near_partners(graph: Graph, added: Edges, k: int, chance: np.random.Generator) -> Edges:
    """As many added edges, with partners who look like true friends where there are some.

    Link prediction finds edges between strangers. Each added edge keeps the end that has more of them (a hub
    that lacks friends, mostly). For each, one of that person's true friends is drawn, and of all friends of
    friends the one is taken who has about as many friends, and as many in common, as long as every degree is
    still shared by k: whoever loses the edge goes back by one degree, and whoever takes it goes on by one.
    """
    from shoal.graphs.building import near_partners_kernels as kernels

    if not len(added):
        return added
    sources, targets = added.sources.astype(np.int64), added.targets.astype(np.int64)
    ends = np.bincount(np.concatenate((sources, targets)), minlength=graph.nodes)
    turned = (ends[targets] > ends[sources]) | ((ends[targets] == ends[sources]) & (targets < sources))
    keeps, gives = np.where(turned, targets, sources), np.where(turned, sources, targets)
    order = np.lexsort((keeps, -ends[keeps]))
    keeps, partners = keeps[order], gives[order].astype(np.int32)
    starts = np.flatnonzero(np.concatenate(([True], keeps[1:] != keeps[:-1], [True])))
    anchors = keeps[starts[:-1]]
    is_anchor = np.zeros(graph.nodes, np.bool_)
    is_anchor[anchors] = True
    degrees = graph.degrees + ends
    sizes = np.bincount(degrees, minlength=int(degrees.max()) + 2)
    sizes = np.concatenate((sizes, np.zeros(len(added), np.int64)))
    kernels.exchange_partners(
        *(graph.offsets, graph.targets, starts, partners, anchors, is_anchor, degrees, sizes, k),
        *(state_of(chance), _STEPS),
    )
    return Edges(np.minimum(keeps, partners).astype(np.int32), np.maximum(keeps, partners).astype(np.int32))
