"""Whether a graph with given degrees exists, of its own or around another graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.graphs.graph import Graph, Int64


def realisable(degrees: Int64) -> bool:
    """Whether some simple graph has these degrees (Erdős and Gallai 1960), in linear time.

    The thesis checks l up to n - 1 (theorem 9.5), which lets a single node have degree 2; here it is n.
    """
    return len(degrees) == 0 or (int(degrees.sum()) % 2 == 0 and shortage(degrees).missing == 0)


@dataclass(frozen=True)
class Shortage:
    """How many edge ends the other nodes must offer more, for the `size` highest to have their degrees."""

    missing: int
    size: int


def shortage(degrees: Int64) -> Shortage:
    """The worst violation of inequality 9.7, parity aside; none where `missing` is 0."""
    nodes = len(degrees)
    if nodes == 0:
        return Shortage(0, 0)
    if int(degrees.min()) < 0 or int(degrees.max()) >= nodes:
        worst = max(-int(degrees.min()), int(degrees.max()) - nodes + 1)
        return Shortage(worst, nodes)
    counts = np.bincount(degrees, minlength=nodes)
    falling = np.repeat(np.arange(nodes)[::-1], counts[::-1])
    sums = np.concatenate(([0], np.cumsum(falling)))
    sizes = np.arange(1, nodes + 1)
    # Of the nodes after the first l, those with a degree of at least l count l, the others their degree.
    at_least = np.append(np.cumsum(counts[::-1])[::-1], 0)[sizes]
    full = np.maximum(at_least, sizes)
    offered = sizes * (sizes - 1) + sizes * (full - sizes) + sums[nodes] - sums[full]
    gaps = sums[sizes] - offered
    worst = int(np.argmax(gaps))
    return Shortage(max(0, int(gaps[worst])), worst + 1)


def may_surround(graph: Graph, degrees: Int64) -> bool:
    """Whether a supergraph with these degrees passes theorem 9.6: False is sure, True is not.

    Liu and Terzi's condition 9.8 is necessary and not sufficient: a pass only means that it is worth trying.
    """
    from shoal.graphs.building import construct_graph_kernels as kernels

    wanted = degrees - graph.degrees
    if len(wanted) == 0:
        return True
    if int(wanted.min()) < 0 or int(degrees.max()) >= graph.nodes or int(wanted.sum()) % 2:
        return False
    ranked = np.flatnonzero(wanted)
    ranked = ranked[np.argsort(-wanted[ranked], kind="stable")]
    return bool(kernels.subject_to(graph.offsets, graph.targets, wanted, ranked))
