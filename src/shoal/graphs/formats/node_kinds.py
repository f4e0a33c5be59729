"""What nodes are, from a table `node,kind` beside an edge list."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import shown
from shoal.engines.local import read_frame
from shoal.graphs.graph import Graph


def read_kinds(source: str | Path, graph: Graph) -> pl.Series:
    """The kind of every node of a graph: columns `node` and `kind`, or the first two."""
    frame, name = read_frame(source), shown(source)
    if frame.width < 2:
        raise BadGraph(f"{name} has one column; give two, node and kind")
    named = {"node", "kind"} <= set(frame.columns)
    nodes, kinds = (frame[at] for at in (("node", "kind") if named else frame.columns[:2]))
    told = pl.DataFrame({"node": nodes.cast(pl.String), "kind": kinds.cast(pl.String)}).unique()
    if told["kind"].has_nulls() or told["node"].has_nulls():
        raise BadGraph(f"{name} has a row without node or kind; fill it in")
    twice = told.filter(pl.col("node").is_duplicated())
    if twice.height:
        raise BadGraph(f"{name} gives node {shown(twice['node'][0])} two kinds; keep one")
    labels = pl.DataFrame({"node": graph.names().cast(pl.String)})
    unknown = told.join(labels, on="node", how="anti")
    if unknown.height:
        raise BadGraph(
            f"{name} names {shown(unknown['node'][0])}, which the graph does not have; give a node without"
            " edges a line of its own in the graph, or remove the row"
        )
    found = labels.join(told, on="node", how="left", maintain_order="left")["kind"]
    if found.has_nulls():
        lacking = labels["node"].filter(found.is_null())[0]
        raise BadGraph(f"{name} has no kind for node {shown(lacking)}; give every node one")
    return found
