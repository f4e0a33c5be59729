"""A graph in which nobody has many edges: what makes noise for whole people bearable."""

from __future__ import annotations

import numpy as np

from shoal.graphs.graph import Graph, Int64


def truncated_degrees(graph: Graph, bound: int) -> Int64:
    """Degrees, in no order that matters, after edges are taken one by one while both ends have fewer.

    Edges come by the labels of their ends, which are the same whoever else is in the graph. So one person
    more adds up to `bound` edges; each may push another out, which may let another in, and only the end of
    such a chain changes its degree, by 1. People without edges are left out of all that is told: in a file of
    edges they come and go with their neighbours, and one person may have any number of those.

    Day, Li, Lyu, "Publishing graph degree distribution with node differential privacy", 2016.
    """
    from shoal.graphs.mechanisms import kernels

    graph = by_label(graph.undirected())
    return np.asarray(kernels.truncated(graph.offsets, graph.targets, bound))


def by_label(graph: Graph) -> Graph:
    """The same graph with nodes in the order of their labels."""
    if graph.labels is None or graph.labels.is_sorted():
        return graph
    places = np.empty(graph.nodes, np.int64)
    places[graph.labels.arg_sort().to_numpy()] = np.arange(graph.nodes)
    return graph.moved(places)
