"""Which nodes have the same neighbourhood."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int64
from shoal.graphs.neighbourhoods.canonical import form_of


def alike(graph: Graph, kinds: Int64) -> Int64:
    """The class of each node, from 0 up: nodes share one exactly when their neighbourhoods are isomorphic.

    The neighbourhood of a node is the graph that its neighbours form among themselves, around the node.
    `kinds` are numbers from 0 up that an isomorphism must keep, the node's own too; zeros where they do not
    count.
    """
    from shoal.graphs.neighbourhoods import kernels

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
    doubtful = np.flatnonzero(~decided)
    if not len(doubtful):
        return np.asarray(classes, np.int64)
    forms = _Forms(graph, kinds)
    known: dict[tuple[int, bytes], int] = {}
    found = np.array(classes, np.int64)
    fresh = len(sizes)
    twins: dict[bytes, int] = {}
    for node in doubtful.tolist():
        # Twins know each other and the same people: their neighbourhoods are alike without a look.
        circle = np.sort(np.append(graph.neighbours(node), np.int32(node))).tobytes()
        first = twins.setdefault(circle + kinds[node].tobytes(), node)
        if first != node:
            found[node] = found[first]
            continue
        key = (int(classes[node]), forms.of(node))
        found[node] = known.setdefault(key, fresh + len(known))
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
        from shoal.graphs.neighbourhoods import kernels

        graph = self.graph
        starts, ends, component, colours = kernels.described(
            graph.offsets, graph.targets, self.kinds, node, self.place
        )
        kinds = self.kinds[graph.neighbours(node)]
        degrees = np.diff(starts)
        sources = np.repeat(np.arange(len(kinds)), degrees)
        once = sources < ends
        sources, targets = sources[once], ends[once].astype(np.int64)
        parts = []
        # In the order of colours equal components are often equal to the letter, and found in `seen`.
        order = np.lexsort((colours, component))
        new = np.empty(len(order), np.int64)
        new[order] = np.arange(len(order))
        bounds = np.append(np.flatnonzero(np.diff(component[order], prepend=-1)), len(order))
        sources, targets = new[sources], new[targets]
        by_place = np.argsort(np.minimum(sources, targets), kind="stable")
        sources, targets = sources[by_place], targets[by_place]
        edge_bounds = np.searchsorted(np.minimum(sources, targets), bounds)
        colours, kinds = colours[order].view(np.int64), kinds[order]
        for first, last, edge, stop in zip(
            bounds[:-1].tolist(), bounds[1:].tolist(), edge_bounds[:-1].tolist(), edge_bounds[1:].tolist(),
            strict=True,
        ):
            if last - first > 1:
                parts.append(
                    self._part(
                        colours[first:last], kinds[first:last], sources[edge:stop] - first,
                        targets[edge:stop] - first,
                    )
                )
        lonely = np.sort(self.kinds[graph.neighbours(node)][degrees == 0])
        own = self.kinds[node : node + 1]
        head = b"|".join((own.tobytes(), len(lonely).to_bytes(8, "big"), lonely.tobytes()))
        return b"#".join((head, *(len(part).to_bytes(8, "big") + part for part in sorted(parts))))

    def _part(self, colours: Int64, kinds: Int64, sources: Int64, targets: Int64) -> bytes:
        size = len(kinds).to_bytes(8, "big")
        key = b"|".join((size, kinds.tobytes(), sources.tobytes(), targets.tobytes()))
        if key not in self.seen:
            self.seen[key] = form_of(colours, kinds, sources, targets)
        return self.seen[key]
