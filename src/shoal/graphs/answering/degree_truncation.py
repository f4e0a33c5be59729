"""A graph in which nobody has many edges: what makes noise for whole people bearable."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.graphs.graph import Graph, Int64


def truncated_degrees(graph: Graph, bound: int) -> Int64:
    """Degrees, in no order that matters, after edges are taken one by one while both ends have fewer.

    Edges come by the labels of their ends, which are the same whoever else is in the graph. So one person
    more adds up to `bound` edges; each may push another out, which may let another in, and only the end of
    such a chain changes its degree, by 1. People without edges are left out of all that is told: in a file of
    edges they come and go with their neighbours, and one person may have any number of those.

    Day, Li, Lyu, "Publishing graph degree distribution with node differential privacy", 2016.
    """
    from shoal.graphs.answering import private_answer_kernels as kernels

    graph = by_label(graph.undirected())
    return np.asarray(kernels.truncate_degrees(graph.offsets, graph.targets, bound))


def by_label(graph: Graph) -> Graph:
    """The same graph with nodes in the order of their labels: whole numbers by size, then all else as text.

    Labels are text as soon as one person's is no number. Were 10 before 9 as text and after it as a number,
    that one person would turn the order of everybody else's edges around.
    """
    if graph.labels is None or (graph.labels.dtype == pl.Int64 and graph.labels.is_sorted()):
        return graph
    texts = graph.labels.cast(pl.String)
    numbers = texts.cast(pl.Int64, strict=False)
    keys = pl.DataFrame({"text": texts, "number": numbers}).with_columns(
        pl.when(pl.col("number").cast(pl.String) == pl.col("text")).then(pl.col("number")).alias("number")
    )
    order = keys.select(pl.arg_sort_by("number", "text", nulls_last=True)).to_series()
    places = np.empty(graph.nodes, np.int64)
    places[order.to_numpy()] = np.arange(graph.nodes)
    return graph.moved(places)
