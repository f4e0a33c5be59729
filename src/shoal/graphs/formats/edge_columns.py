"""Graphs as columns: two of them are the ends of edges, as whole numbers or as text.

A row without a target is a node without edges.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import decimal_texts, quote_value
from shoal.graphs.formats.edgelist_layout import ends_of
from shoal.graphs.formats.node_numbering import Ends, number_by_name, of_whole
from shoal.graphs.graph import Graph

_EXACT = 2**53  # up to here every whole number is a floating-point number


def from_frame(frame: pl.DataFrame, name: str, directed: bool = False) -> Graph:
    """The graph in the columns named as ends, or else the first two."""
    if frame.width < 2:
        raise BadGraph(f"{name} has one column; give two, source and target")
    one, other = ends_of(frame.columns)
    left_out = [column for place, column in enumerate(frame.columns) if place not in (one, other)]
    sources, targets = (_labels(frame.to_series(place), name) for place in (one, other))
    missing = sources.is_null()
    if missing.any():
        raise BadGraph(
            f"row {int(missing.arg_max() or 0) + 1:,} of {name} has no {sources.name}; fill in the label"
        )
    if not len(sources):
        raise BadGraph(f"{name} has no rows; give one row per edge")
    if sources.dtype != targets.dtype:
        sources, targets = sources.cast(pl.String), targets.cast(pl.String)
    alone, known = sources.filter(targets.is_null()), targets.is_not_null()
    if not known.all():
        sources, targets = sources.filter(known), targets.filter(known)
    return _number(sources, targets, alone).graph(directed, left_out=left_out)


def header_of(frame: pl.DataFrame) -> tuple[str, str]:
    """What the ends are called."""
    one, other = ends_of(frame.columns)
    return frame.columns[one], frame.columns[other]


def to_frame(graph: Graph, header: tuple[str, str] = ("source", "target")) -> pl.DataFrame:
    """Every edge, then every node without edges, whose target is missing."""
    source, target = header
    edges = graph.edge_list()
    alone = lone_nodes(graph)
    columns = (edges.sources, edges.targets)
    if graph.labels is None:
        frame = pl.DataFrame(dict(zip(header, columns, strict=True)))
        lone = pl.DataFrame({source: alone.astype(np.int32)})
    else:
        frame = pl.DataFrame({end: graph.labels[ends] for end, ends in zip(header, columns, strict=True)})
        lone = pl.DataFrame({source: graph.labels[alone]})
    if not len(alone):
        return frame
    return pl.concat([frame, lone.with_columns(pl.lit(None, frame.schema[target]).alias(target))])


def lone_nodes(graph: Graph) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The nodes without edges."""
    touched = graph.degrees > 0
    if graph.directed:
        touched[graph.targets] = True
    return np.flatnonzero(~touched)


def _labels(column: pl.Series, name: str) -> pl.Series:
    dtype = column.dtype
    if dtype.is_float():
        column = column.fill_nan(None)
        # A missing target makes pandas turn whole numbers into floating-point ones.
        if ((column.floor() == column) & (column.abs() < _EXACT)).all():
            return column.cast(pl.Int64)
        raise BadGraph(
            f"column {quote_value(column.name)} of {name} has fractions; give whole numbers or text"
        )
    if dtype.is_integer():
        try:
            return column.cast(pl.Int64)
        except pl.exceptions.PolarsError:
            return column.cast(pl.String)
    if dtype.is_nested() or dtype in (pl.Object, pl.Binary):
        raise BadGraph(
            f"column {quote_value(column.name)} of {name} has {dtype} values; give whole numbers or text"
        )
    texts = decimal_texts(column)
    if (texts == "").any():
        raise BadGraph(f"column {quote_value(column.name)} of {name} has an empty label; fill it in")
    return texts


def _number(sources: pl.Series, targets: pl.Series, alone: pl.Series) -> Ends:
    if sources.dtype == pl.Int64:
        return of_whole([sources.to_numpy()], [targets.to_numpy()], alone.to_numpy())
    labels = pl.concat([sources, targets, alone]).unique()
    numbers = pl.Enum(labels)
    one, other = (ends.cast(numbers).to_physical().to_numpy().astype(np.int32) for ends in (sources, targets))
    return number_by_name(labels.alias("label"), one, other)
