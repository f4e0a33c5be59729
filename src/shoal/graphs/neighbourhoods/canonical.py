"""A canonical form of a small graph: equal for two graphs exactly when they are isomorphic."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Int64


def form_of(colours: Int64, kinds: Int64, sources: Int64, targets: Int64) -> bytes:
    """The form of a connected graph whose edges are given once each.

    `kinds` are compared. `colours` save time: any numbers that isomorphic graphs share place by place, such
    as those of a refinement; vertices of different colour are told apart at once.
    """
    vertices, edges = len(colours), len(sources)
    if edges == vertices * (vertices - 1) // 2:  # complete: nothing but the kinds can differ
        return _written("complete", np.sort(kinds), sources[:0], targets[:0])
    order = np.argsort(colours, kind="stable")
    ranked = colours[order]
    if (ranked[1:] != ranked[:-1]).all():  # every vertex has its own colour, so that there is one order only
        new = np.empty(vertices, np.int64)
        new[order] = np.arange(vertices)
        return _written("coloured", kinds[order], new[sources], new[targets])
    import igraph

    # BLISS gives isomorphic graphs whose colours agree one and the same permuted graph. The permutation is
    # left to igraph: what it documents as the new place of each vertex is in 1.0 the vertex of each place.
    pairs = np.column_stack((colours, kinds))
    places = np.unique(pairs, axis=0, return_inverse=True)[1]
    given = igraph.Graph(n=vertices, edges=np.column_stack((sources, targets)).tolist())
    given.vs["kind"] = kinds.tolist()
    permuted = given.permute_vertices(given.canonical_permutation(color=places.tolist()))
    ends = np.asarray(permuted.get_edgelist(), np.int64)
    return _written("searched", np.asarray(permuted.vs["kind"], np.int64), ends[:, 0], ends[:, 1])


def _written(how: str, kinds: Int64, sources: Int64, targets: Int64) -> bytes:
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    keys = np.sort(low * len(kinds) + high)
    return b"|".join((how.encode(), len(kinds).to_bytes(8, "big"), kinds.tobytes(), keys.tobytes()))
