"""Which nodes have the same neighbourhood."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int64
from shoal.graphs.neighbourhoods.canonical_form import form_of


def edges_inside(graph: Graph) -> Int64:
    """How many edges run among the neighbours of each node."""
    from shoal.graphs.neighbourhoods import neighbourhood_kernels as kernels

    return kernels.summaries(graph.offsets, graph.targets, np.zeros(graph.nodes, np.int64))[0]


def alike(graph: Graph, kinds: Int64) -> Int64:
    """The class of each node, from 0 up: nodes share one exactly when their neighbourhoods are isomorphic.

    The neighbourhood of a node is the graph that its neighbours form among themselves, around the node.
    `kinds` are numbers from 0 up that an isomorphism must keep, the node's own too; zeros where they do not
    count.
    """
    from shoal.graphs.neighbourhoods import neighbourhood_kernels as kernels

    if not graph.nodes:
        return np.empty(0, np.int64)
    edges, peaks, prints = kernels.summaries(graph.offsets, graph.targets, kinds)
    summary = np.rec.fromarrays((graph.degrees, edges, peaks, prints))
    _, classes, sizes = np.unique(summary, return_inverse=True, return_counts=True)
    # Nobody shares the summary: nobody is alike. Without kinds, degree and edges say everything of separate
    # friends and pairs, and of a clique.
    decided = sizes[classes] == 1
    if not kinds.any():
        decided |= (peaks <= 1) | (edges == graph.degrees * (graph.degrees - 1) // 2)
    forms = _Forms(graph, kinds)
    found = np.array(classes, np.int64)
    known: dict[tuple[int, bytes], int] = {}
    twins: dict[bytes, int] = {}
    for node in np.flatnonzero(~decided).tolist():
        # Twins know each other and the same people: their neighbourhoods are alike without a look.
        circle = np.sort(np.append(graph.neighbours(node), np.int32(node)))
        first = twins.setdefault(circle.tobytes() + kinds[node].tobytes(), node)
        if first == node:
            key = (int(classes[node]), forms.of(node))
            found[node] = known.setdefault(key, len(sizes) + len(known))
        else:
            found[node] = found[first]
    return np.asarray(np.unique(found, return_inverse=True)[1], np.int64)


class _Forms:
    """Canonical forms of neighbourhoods, component by component; a component seen before is looked up."""

    def __init__(self, graph: Graph, kinds: Int64) -> None:
        self.graph = graph
        self.kinds = kinds
        self.place = np.full(graph.nodes, -1, np.int32)
        self.seen: dict[bytes, bytes] = {}

    def of(self, node: int) -> bytes:
        """The kind of the node, those of the neighbours without edges here, and every component's form."""
        from shoal.graphs.neighbourhoods import neighbourhood_kernels as kernels

        graph = self.graph
        starts, ends, component, colours = kernels.describe(
            graph.offsets, graph.targets, self.kinds, node, self.place
        )
        # In the order of colours equal components are often equal to the letter, and found in `seen`.
        order = np.lexsort((colours, component))
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        sources, targets = places[np.repeat(np.arange(len(order)), np.diff(starts))], places[ends]
        once = np.flatnonzero(sources < targets)
        once = once[np.lexsort((targets[once], sources[once]))]
        sources, targets = sources[once], targets[once]
        shades, kinds = colours[order].view(np.int64), self.kinds[graph.neighbours(node)][order]
        bounds = np.append(np.flatnonzero(np.diff(component[order], prepend=-1)), len(order))
        cuts = np.searchsorted(sources, bounds)
        parts = []
        for at in np.flatnonzero(np.diff(bounds) > 1).tolist():
            vertices, edges = slice(bounds[at], bounds[at + 1]), slice(cuts[at], cuts[at + 1])
            one, other = sources[edges] - bounds[at], targets[edges] - bounds[at]
            parts.append(self._part(shades[vertices], kinds[vertices], one, other))
        lonely = np.sort(kinds[bounds[:-1][np.diff(bounds) == 1]])
        head: bytes = self.kinds[node].tobytes() + len(lonely).to_bytes(8, "big") + lonely.tobytes()
        return head + b"".join(len(part).to_bytes(8, "big") + part for part in sorted(parts))

    def _part(self, colours: Int64, kinds: Int64, sources: Int64, targets: Int64) -> bytes:
        size = len(kinds).to_bytes(8, "big")
        key = size + kinds.tobytes() + sources.tobytes() + targets.tobytes()
        if key not in self.seen:
            self.seen[key] = form_of(colours, kinds, sources, targets)
        return self.seen[key]
