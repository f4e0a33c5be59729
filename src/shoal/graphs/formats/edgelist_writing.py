"""Edge lists written as text, in the style of the file that they come from."""

from __future__ import annotations

import re
from typing import BinaryIO

import numpy as np
import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import quote_value
from shoal.graphs.formats.edge_columns import lone_nodes
from shoal.graphs.formats.edgelist_layout import Layout, ends_of, is_header, is_safe_header
from shoal.graphs.formats.file_style import BLANKS, Style
from shoal.graphs.graph import Graph, Int32

_HEADERS = (("source", "target"), ("from", "to"), ("node1", "node2"), ("src", "dst"))


def write_edge_list(graph: Graph, stream: BinaryIO, style: Style) -> None:
    """Every edge on a line; then every node without edges, as a source without a target."""
    edges, alone = graph.edge_list(), lone_nodes(graph)
    # With blanks a lone label would not show that there are two columns; one edge is enough to tell.
    separator = style.separator if len(edges) or style.separator != BLANKS else ","
    names = None if graph.labels is None else _quote(graph.labels, separator)
    header = _header(graph, style.header, edges.sources, edges.targets)
    if header is not None:
        line = separator.join(_quote(pl.Series(header, dtype=pl.String), separator))
        stream.write(f"{line}\n".encode())
        stream.flush()
    _write(stream, separator, *(_label_column(names, ends) for ends in (edges.sources, edges.targets)))
    lone = _label_column(names, alone)
    _write(
        stream,
        separator,
        lone,
        *([] if separator == BLANKS else [pl.Series([None]).new_from_index(0, len(lone))]),
    )


def _write(stream: BinaryIO, separator: str, *columns: pl.Series) -> None:
    frame = pl.DataFrame([column.alias(str(place)) for place, column in enumerate(columns)])
    if frame.height:
        frame.write_csv(stream, include_header=False, separator=separator, quote_style="never")


def _label_column(names: pl.Series | None, nodes: np.ndarray[tuple[int], np.dtype[np.integer]]) -> pl.Series:
    return pl.Series(nodes) if names is None else names.gather(nodes)


def _header(
    graph: Graph, wanted: tuple[str, str] | None, sources: Int32, targets: Int32
) -> tuple[str, str] | None:
    """The header, or another one where a reader would mistake it; none where none is wanted or needed."""
    labels = graph.names()
    if wanted is None:
        if labels.dtype != pl.String or not len(sources):
            return None
        first = (graph.name(int(sources[0])), graph.name(int(targets[0])))
        others = labels.filter(~labels.is_in(list(first)))
        if not is_header(Layout(",", 2, first, ends_of(first)), others.to_list()):
            return None
    for header in ((wanted,) if wanted else ()) + _HEADERS:
        if is_safe_header(header, labels):
            return header
    return None


def _quote(labels: pl.Series, separator: str) -> pl.Series:
    """Labels as they stand in the text: in quotes where something in them has another meaning."""
    if labels.dtype != pl.String:
        return labels
    broken = labels.filter(labels.str.contains("[\r\n\x00]"))
    if len(broken):
        raise BadGraph(
            f"label {quote_value(repr(broken[0]))} has a line end, which an edge list cannot hold; "
            "write .graphml"
            " or .parquet"
        )
    special = rf'[\t;|,"{re.escape(separator)}]|^[#%\s\ufeff]|\s$|^[+-]?[0-9.].*\s'
    if separator == BLANKS:
        special = rf"{special}|[\s{{}}]"
    quoted = labels.str.replace_all('"', '""', literal=True)
    frame = pl.DataFrame({"label": labels, "quoted": quoted})
    chosen = pl.when(pl.col("label").str.contains(special)).then(pl.format('"{}"', "quoted"))
    return frame.select(chosen.otherwise("label").alias("label")).to_series()
