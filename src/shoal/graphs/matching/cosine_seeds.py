"""Who is who among those with the most friends, by how many friends each two of them share.

The cosines of their circles of friends are the weights of a complete graph in each network; the best matching
of the two graphs is a quadratic assignment. Narayanan, Shi, Rubinstein, "Link prediction by
de-anonymization", 2011; Vogelstein et al., "Fast approximate quadratic programming for graph matching", 2015,
by SciPy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.matching.matching import NOBODY

TOP = 200  # a quadratic assignment of more takes minutes
KEPT = 0.25  # of them: those whose cosines agree best


def cosine_seeds(left: Graph, right: Graph, top: int = TOP) -> Int32:
    """Per left node, the node that is most likely the same person; -1 where nothing is said."""
    from scipy.optimize import linear_sum_assignment, quadratic_assignment

    top = min(top, left.nodes, right.nodes)
    ours, theirs = _most_followed(left, top), _most_followed(right, top)
    here, there = cosines(left, ours), cosines(right, theirs)
    # Where the search begins decides where it ends: with those whose cosines are alike whoever they are with.
    ranked, ranked_there = -np.sort(-here, axis=1), -np.sort(-there, axis=1)
    apart = np.abs(ranked[:, None, :] - ranked_there[None, :, :]).sum(axis=2)
    start = np.zeros((top, top))
    start[linear_sum_assignment(apart)] = 1
    options = {"maximize": True, "P0": (start + 1 / top) / 2, "rng": np.random.default_rng(0)}
    order = quadratic_assignment(here, there, method="faq", options=options)["col_ind"]
    off = np.abs(here - there[np.ix_(order, order)]).mean(axis=1)
    off /= np.maximum(here.mean(axis=1), 1e-9)  # of the circle itself: empty ones agree by saying nothing
    chosen = np.argsort(off, kind="stable")[: max(int(top * KEPT), 1)]
    found = np.full(left.nodes, NOBODY)
    found[ours[chosen]] = theirs[order[chosen]]
    return found


def cosines(graph: Graph, nodes: Int64) -> NDArray[np.float64]:
    """Of each two of some nodes, the cosine of who points to them; 0 of a node and itself."""
    from scipy.sparse import csr_array

    place = np.full(graph.nodes, -1)
    place[nodes] = np.arange(len(nodes))
    ends = graph.edge_list()
    pairs = [(ends.sources, ends.targets)] + ([] if graph.directed else [(ends.targets, ends.sources)])
    rows, columns = [], []
    for sources, targets in pairs:
        chosen = place[targets] >= 0
        rows.append(place[targets[chosen]])
        columns.append(sources[chosen])
    places = np.concatenate(rows), np.concatenate(columns)
    # Sparse, because a million people times those with the most followers would fill the memory.
    points = csr_array((np.ones(len(places[0])), places), (len(nodes), graph.nodes))
    sizes = np.maximum(points.sum(axis=1), 1)
    found: NDArray[np.float64] = (points @ points.T).toarray() / np.sqrt(np.outer(sizes, sizes))
    np.fill_diagonal(found, 0)
    return found


def _most_followed(graph: Graph, number: int) -> Int64:
    followers = np.bincount(graph.targets, minlength=graph.nodes)
    return np.argsort(-followers, kind="stable")[:number]
