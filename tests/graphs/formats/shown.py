"""What the tests of formats compare: graphs by their labels."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal.engines.sniff import Text
from shoal.graphs.formats.edgelist import read_edge_list
from shoal.graphs.formats.edgelist_layout import EdgeList
from shoal.graphs.graph import Graph


def edges_of(graph: Graph) -> list[Any]:
    """Edges by label, sorted; the ends of an undirected one too."""
    edges, names = graph.edge_list(), graph.names().to_list()
    found = [(names[one], names[other]) for one, other in zip(edges.sources, edges.targets, strict=True)]
    return sorted(found if graph.directed else (tuple(sorted(pair)) for pair in found))


def lone_of(graph: Graph) -> list[Any]:
    """Labels of nodes without edges."""
    inside = {end for pair in edges_of(graph) for end in pair}
    return [name for name in graph.names().to_list() if name not in inside]


def same(one: Graph, other: Graph) -> bool:
    """Whether two graphs have the same labels as text, and the same edges between them."""
    texts = (graph.names().cast(pl.String).sort().to_list() for graph in (one, other))
    pairs = (
        sorted(
            tuple(map(str, pair)) if one.directed else tuple(sorted(map(str, pair)))
            for pair in edges_of(graph)
        )
        for graph in (one, other)
    )
    return len({tuple(text) for text in texts}) == 1 and len({tuple(pair) for pair in pairs}) == 1


def read(content: bytes, separator: str | None = None) -> EdgeList:
    """The edge list in some bytes."""
    return read_edge_list(Text("'x'", content), separator)


def graph(content: bytes, separator: str | None = None) -> Graph:
    """The graph in some bytes."""
    return read(content, separator).ends.graph()
