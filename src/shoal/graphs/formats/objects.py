"""Graphs from objects of other libraries, and back. None of these is loaded unless its object is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from shoal.core.errors import BadGraph, BadTable
from shoal.core.extras import require
from shoal.engines.files import to_frame
from shoal.engines.frames import one_line, quote_value
from shoal.graphs.formats import edge_columns
from shoal.graphs.formats.node_numbering import number_by_name, of_objects
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping


def graph_of(thing: Any, *, directed: bool | None = None, kinds: str | None = None) -> Graph:
    """The graph in a NetworkX or igraph object, an array or frame of edges, or a sparse matrix.

    Nodes of NetworkX and igraph keep their order. Labels that are neither whole numbers nor text become text.
    A matrix is directed where it is not symmetric; arrays and frames are not directed. `kinds` names an
    attribute of nodes.
    """
    if isinstance(thing, Graph):
        graph = thing
    elif _from(thing, "networkx") and hasattr(thing, "is_multigraph"):
        graph = _of_networkx(thing, kinds)
    elif _from(thing, "igraph") and hasattr(thing, "get_edgelist"):
        graph = _of_igraph(thing, kinds)
    elif _from(thing, "scipy") and hasattr(thing, "tocoo"):
        graph = _of_matrix(thing, directed)
    elif isinstance(thing, np.ndarray):
        graph = _of_array(thing, bool(directed))
    elif isinstance(thing, list | tuple):
        graph = _of_pairs(thing, bool(directed))
    else:
        graph = _of_frame(thing, bool(directed))
    if kinds is not None and graph.kinds is None:
        raise BadGraph(
            f"there is no attribute {quote_value(kinds)} of nodes; give a NetworkX or igraph graph that "
            "has it"
        )
    if directed is True and not graph.directed:
        raise BadGraph("the graph has no direction, and none can be made up; leave out directed")
    return graph.undirected() if directed is False else graph


def to_networkx(graph: Graph | Grouping) -> Any:
    """A NetworkX graph with the same labels; kinds are `kind`, groups have `size` and `edges`."""
    import networkx

    if isinstance(graph, Grouping):
        made = networkx.Graph()
        made.add_nodes_from((group, {"size": size}) for group, size in enumerate(graph.sizes.tolist()))
        ends = zip(*(part.tolist() for part in (graph.sources, graph.targets, graph.weights)), strict=True)
        made.add_edges_from((one, other, {"edges": edges}) for one, other, edges in ends)
        return made
    made = networkx.DiGraph() if graph.directed else networkx.Graph()
    names = graph.names().to_list()
    made.add_nodes_from(names)
    if graph.kinds is not None:
        networkx.set_node_attributes(made, dict(zip(names, graph.kinds.to_list(), strict=True)), "kind")
    edges = graph.edge_list()
    pairs = zip(edges.sources.tolist(), edges.targets.tolist(), strict=True)
    made.add_edges_from((names[one], names[other]) for one, other in pairs)
    return made


def to_igraph(graph: Graph | Grouping) -> Any:
    """An igraph graph with the same nodes; labels are the attribute `name`, kinds `kind`."""
    require("graphs", "an igraph graph")
    import igraph

    if isinstance(graph, Grouping):
        ends = np.column_stack((graph.sources, graph.targets))
        made = igraph.Graph(graph.groups, ends)
        made.vs["size"], made.es["edges"] = graph.sizes.tolist(), graph.weights.tolist()
        return made
    edges = graph.edge_list()
    made = igraph.Graph(graph.nodes, np.column_stack((edges.sources, edges.targets)), directed=graph.directed)
    if graph.labels is not None:
        made.vs["name"] = graph.labels.to_list()
    if graph.kinds is not None:
        made.vs["kind"] = graph.kinds.to_list()
    return made


def _from(thing: Any, library: str) -> bool:
    return any(base.__module__.split(".")[0] == library for base in type(thing).__mro__)


def _of_networkx(thing: Any, kinds: str | None) -> Graph:
    nodes = list(thing.nodes)
    labels = of_objects(nodes)
    number = {node: at for at, node in enumerate(nodes)}
    ends = np.fromiter((number[end] for edge in thing.edges() for end in edge), np.int32)
    told = dict.fromkeys(key for _, _, data in thing.edges(data=True) for key in data)
    others = dict.fromkeys(key for _, data in thing.nodes(data=True) for key in data if key != kinds)
    values = None if kinds is None else _kinds([data.get(kinds) for _, data in thing.nodes(data=True)], kinds)
    return _make_graph(labels, ends, thing.is_directed(), values, [*others, *told])


def _of_igraph(thing: Any, kinds: str | None) -> Graph:
    attributes = thing.vs.attributes()
    labels = of_objects(thing.vs["name"]) if "name" in attributes else None
    ends = np.asarray(thing.get_edgelist(), np.int32).reshape(-1)
    if kinds is not None and kinds not in attributes:
        raise BadGraph(
            f"no node has attribute {quote_value(kinds)}; there are "
            f"{one_line(', '.join(attributes)) or 'none'}"
        )
    values = None if kinds is None else _kinds(thing.vs[kinds], kinds)
    others = [name for name in attributes if name not in ("name", kinds)]
    number = pl.Series("label", range(thing.vcount()), pl.Int64)
    graph = _make_graph(
        number if labels is None else labels,
        ends,
        thing.is_directed(),
        values,
        [*others, *thing.es.attributes()],
    )
    return graph if labels is not None else replace(graph, labels=None)


def _kinds(values: Sequence[Any], kinds: str) -> pl.Series:
    if any(value is None for value in values):
        raise BadGraph(
            f"{values.count(None):,} nodes have no attribute {quote_value(kinds)}; give every node its kind"
        )
    return pl.Series("kind", [str(value) for value in values], pl.String)


def _make_graph(
    labels: pl.Series, ends: Any, directed: bool, kinds: pl.Series | None, left_out: Sequence[Any]
) -> Graph:
    made = Graph.of_edges(
        len(labels), ends[0::2].copy(), ends[1::2].copy(), labels=labels, directed=directed, kinds=kinds
    )
    names = tuple(dict.fromkeys(one_line(name) for name in left_out))
    return replace(made, cleaned=replace(made.cleaned, weights=names))


def _of_matrix(thing: Any, directed: bool | None) -> Graph:
    if thing.ndim != 2 or thing.shape[0] != thing.shape[1]:
        raise BadGraph(f"a matrix of shape {thing.shape} is no graph; give one row and one column per node")
    matrix = thing.tocoo().tocsr()  # adds up what stands in one place twice
    matrix.eliminate_zeros()
    pattern = matrix.astype(bool)
    symmetric = (pattern != pattern.T).nnz == 0
    found = pattern.tocoo()
    one, other = found.coords
    if symmetric and directed is not True:
        once = one <= other
        one, other = one[once], other[once]
    made = Graph.of_edges(thing.shape[0], one, other, directed=not symmetric or directed is True)
    weighted = bool(matrix.nnz) and bool((matrix.data != 1).any())
    return replace(made, cleaned=replace(made.cleaned, weights=("weights",) if weighted else ()))


def _of_array(thing: np.ndarray[Any, Any], directed: bool) -> Graph:
    if thing.ndim != 2 or thing.shape[1] != 2:
        raise BadGraph(
            f"an array of shape {thing.shape} is no list of edges; give one row of two labels per edge"
        )
    if thing.dtype.kind in "OSV":
        return _of_pairs(thing.tolist(), directed)
    ends = (np.ascontiguousarray(thing[:, side]) for side in (0, 1))
    frame = pl.DataFrame([pl.Series(name, end) for name, end in zip(("source", "target"), ends, strict=True)])
    return edge_columns.from_frame(frame, "the array", directed)


def _of_pairs(thing: Sequence[Any], directed: bool) -> Graph:
    for pair in thing:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or pair[0] is None or pair[1] is None:
            raise BadGraph(f"{quote_value(repr(pair))} is no edge; give pairs of labels")
    number: dict[Any, int] = {}
    ends = np.fromiter((number.setdefault(end, len(number)) for pair in thing for end in pair), np.int32)
    labels = of_objects(list(number))
    return number_by_name(labels, ends[0::2].copy(), ends[1::2].copy()).graph(directed)


def _of_frame(thing: Any, directed: bool) -> Graph:
    try:
        frame = to_frame(thing)
    except BadTable as error:
        raise BadGraph(
            f"an object of type {type(thing).__name__} is no graph; give a NetworkX or igraph graph, a"
            " frame or array of edges, a sparse matrix, or the path of a file"
        ) from error
    return edge_columns.from_frame(frame, "the frame", directed)
