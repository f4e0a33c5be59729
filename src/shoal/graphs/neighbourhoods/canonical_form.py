"""A canonical form of a small graph: equal for two graphs exactly when they are isomorphic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.core.extras import require
from shoal.graphs.graph import Int64


def form_of(colours: Int64, kinds: Int64, sources: Int64, targets: Int64) -> bytes:
    """The form of a connected graph whose edges are given once each.

    `kinds` are compared. `colours` save time: any numbers that isomorphic graphs share place by place, such
    as those of a refinement; vertices of different colour are told apart at once.
    """
    vertices, edges = len(colours), len(sources)
    if edges == vertices * (vertices - 1) // 2:  # complete: nothing but the kinds can differ
        return _as_bytes(b"complete", np.sort(kinds), sources[:0], targets[:0])
    folded = _fold_twins(colours, kinds, sources, targets)
    colours = folded.colours
    order = np.lexsort((folded.sizes, folded.kinds, colours))
    ranked = colours[order]
    if (ranked[1:] != ranked[:-1]).all():  # every vertex has its own colour, so that there is one order only
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        traits = np.concatenate((folded.kinds[order], folded.sizes[order]))
        return _as_bytes(b"coloured", traits, places[folded.sources], places[folded.targets])
    require("graphs", "comparing neighbourhoods")
    import igraph

    # BLISS gives isomorphic graphs whose colours agree one and the same permuted graph. The permutation is
    # left to igraph: what it documents as the new place of each vertex is in 1.0 the vertex of each place.
    traits = np.column_stack((colours, folded.kinds, folded.sizes))
    cells = np.unique(traits, axis=0, return_inverse=True)[1].ravel()
    given = igraph.Graph(n=len(order), edges=np.column_stack((folded.sources, folded.targets)))
    given.vs["place"] = np.arange(len(order)).tolist()
    permuted = given.permute_vertices(given.canonical_permutation(color=cells.tolist()))
    back = np.asarray(permuted.vs["place"], np.int64)
    ends = np.asarray(permuted.get_edgelist(), np.int64).reshape(-1, 2)
    traits = np.concatenate((folded.kinds[back], folded.sizes[back]))
    return _as_bytes(b"searched", traits, ends[:, 0], ends[:, 1])


@dataclass(frozen=True, eq=False)
class _Folded:
    """A graph in which twins of one kind are one vertex, with how many they are."""

    colours: Int64
    kinds: Int64
    sizes: Int64
    sources: Int64
    targets: Int64


def _fold_twins(colours: Int64, kinds: Int64, sources: Int64, targets: Int64) -> _Folded:
    """Twins (neighbours with the same other neighbours) as one vertex: nothing is lost, much is saved."""
    vertices = len(colours)
    every = np.arange(vertices)
    starts = np.concatenate((sources, targets, every))
    ends = np.concatenate((targets, sources, every))
    order = np.lexsort((ends, starts))
    rows = np.split(ends[order], np.cumsum(np.bincount(starts, minlength=vertices))[:-1])
    firsts: dict[bytes, int] = {}
    first = np.asarray(
        [
            firsts.setdefault(row.tobytes() + kind.tobytes(), at)
            for at, (row, kind) in enumerate(zip(rows, kinds, strict=True))
        ]
    )
    if len(firsts) == vertices:
        return _Folded(colours, kinds, np.ones(vertices, np.int64), sources, targets)
    kept = np.flatnonzero(first == every)
    places = np.searchsorted(kept, first)
    inside = (first[sources] == sources) & (first[targets] == targets)
    return _Folded(
        colours[kept], kinds[kept], np.bincount(places), places[sources[inside]], places[targets[inside]]
    )


def _as_bytes(how: bytes, traits: Int64, sources: Int64, targets: Int64) -> bytes:
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    keys = np.sort(low * (len(traits) + 1) + high)
    return how + len(traits).to_bytes(8, "big") + traits.tobytes() + keys.tobytes()
