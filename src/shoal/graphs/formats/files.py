"""Graphs in files, by their extension: edge lists as text, Parquet, Arrow, GraphML, GML.

Text is `.csv`, `.tsv`, `.txt`, `.edges`, `.edgelist` and whatever has no known extension; `-` is standard
input or output, as text. Text, GraphML and GML may be packed with gzip (`.gz`).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl

from shoal.core.errors import BadGraph, BadParameter, BadTable, ShoalError
from shoal.core.extras import require
from shoal.engines import sniff
from shoal.engines.atomic_write import file_kind, write_in_place_of
from shoal.engines.files import content_of, gunzip, read_frame
from shoal.engines.frames import FAILURES, quote_value, reason
from shoal.engines.sniff import Text
from shoal.engines.text_tables import read_text
from shoal.graphs.formats import edge_columns, gml, graphml, groupings
from shoal.graphs.formats.edgelist import decode, layout_of, read_edge_list
from shoal.graphs.formats.edgelist_layout import head_of, public_separator
from shoal.graphs.formats.edgelist_writing import write_edge_list
from shoal.graphs.formats.file_style import BLANKS, COLUMNS, MARKED, TEXT, ReadGraph, Style
from shoal.graphs.formats.refused_formats import refuse_by_content, refuse_by_name
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

_OTHERS = (".json", ".xml", ".gexf", ".mat", ".npz", ".pickle", ".pkl", ".xlsx", ".zip")
FIRST_LINE = (
    "the first line was read as an edge between two who occur nowhere else; if it is a header, write "
    "source and target there"
)
_KNOWN = ".csv, .tsv, .txt, .edges, .parquet, .arrow, .graphml or .gml"


def read_graph(
    source: str | Path,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    directed: bool | None = None,
    kinds: str | Path | None = None,
    private: bool = False,
) -> ReadGraph:
    """The graph or grouping in a file; with `private` no edge decides how others are read.

    Edge lists are undirected unless `directed` says otherwise; GraphML and GML say it themselves. `kinds` is
    an attribute of nodes there, and for all else a table `node,kind`.
    """
    name = "standard input" if str(source) == "-" else quote_value(source)
    kind, packed = file_kind(source)
    with _graph_errors(name):
        refuse_by_name(kind, name)
        if kind in COLUMNS and not packed:
            read = _of_columns(source, name, bool(directed))
        elif kind in _OTHERS:
            raise BadGraph(f"{name} is of a kind that is not read as a graph; give {_KNOWN}")
        else:
            content = content_of(source)
            text = Text(name, gunzip(content, name) if packed else content)
            if kind in MARKED:
                attribute = None if kinds is None else str(kinds)
                return _of_marked(text, kind, encoding, directed, attribute, private)
            read = _of_text(text, kind, separator, encoding, bool(directed), private)
        if kinds is None:
            return read
        if isinstance(read.graph, Grouping):
            raise BadGraph(f"{name} has groups, which have no kind; leave out the kinds")
        return replace(read, graph=replace(read.graph, kinds=read_kinds(kinds, read.graph)))


def write_graph(graph: Graph | Grouping, target: str | Path, style: Style | None = None) -> None:
    """Write a graph or grouping in the format of the target's extension, and in a given style.

    A node without edges is a line (a row) without a target.
    """
    check_target(target)
    kind, packed = file_kind(target)
    style = _style_for(style, kind)
    with _graph_errors(quote_value(target)), write_in_place_of(target) as stream:
        if packed:
            # No time stamp: the same graph gives the same bytes.
            with gzip.GzipFile(filename="", fileobj=stream, mode="wb", compresslevel=6, mtime=0) as zipped:
                _write(graph, cast(BinaryIO, zipped), kind, style)
        else:
            _write(graph, stream, kind, style)


def check_target(target: str | Path) -> None:
    """Refuse a file whose extension stands for no format that is written."""
    kind, packed = file_kind(target)
    if kind not in (*TEXT, *COLUMNS, *MARKED) or (packed and kind in COLUMNS):
        raise BadParameter(f"cannot write {quote_value(target)} as a graph: unknown extension; use {_KNOWN}")
    if kind in COLUMNS:
        require("arrow", f"reading {quote_value(target)} back", "write .csv")


@contextmanager
def _graph_errors(name: str) -> Iterator[None]:
    """Whatever goes wrong with a graph's file is told of a graph."""
    try:
        yield
    except BadTable as error:
        raise BadGraph(str(error)) from error
    except (ShoalError, OSError):
        raise
    except FAILURES as error:
        raise BadGraph(f"cannot read {name}: {reason(error)}; check that the file is whole") from error


def _of_columns(source: str | Path, name: str, directed: bool) -> ReadGraph:
    frame = read_frame(source)
    style = Style(file_kind(source)[0])
    if groupings.is_grouping(frame.columns):
        return ReadGraph(groupings.from_frame(frame, name), style)
    graph = edge_columns.from_frame(frame, name, directed)
    return ReadGraph(graph, replace(style, header=edge_columns.header_of(frame)))


def _of_marked(
    text: Text, kind: str, encoding: str | None, directed: bool | None, kinds: str | None, private: bool
) -> ReadGraph:
    if kind == ".graphml":
        known = None if encoding is None else sniff.check_encoding(encoding)
        found = graphml.read_graphml(text, known)
    else:
        found = gml.read_gml(_string(text, encoding), text.name)
    return ReadGraph(found.subject(directed, kinds, private), Style(kind, kinds=kinds))


def _of_text(
    text: Text, kind: str, separator: str | None, encoding: str | None, directed: bool, private: bool
) -> ReadGraph:
    text = decode(text, encoding)
    mark = separator if separator in (None, BLANKS) else sniff.check_separator(separator or "")
    if mark is None and private:
        mark = public_separator(head_of(text), kind, text.name)
    layout = layout_of(text, mark, private)
    if groupings.is_grouping(layout.first):
        frame = read_text(text, layout.separator)
        return ReadGraph(groupings.from_frame(frame, text.name), Style(kind, layout.separator))
    if not private:
        refuse_by_content(_first_line(text), head_of(text), layout.separator, text.name)
    found = read_edge_list(text, mark, strict=encoding is not None, private=private)
    graph = found.ends.graph(directed, left_out=found.left_out)
    notes = (FIRST_LINE,) if found.doubtful else ()
    return ReadGraph(graph, Style(kind, found.separator, found.header), notes)


def _first_line(text: Text) -> str:
    with text.open() as stream:
        return stream.readline(100).decode("utf-8", "replace")


def _string(text: Text, encoding: str | None) -> str:
    text = decode(text, encoding)
    sniff.has_quotes(text)  # refuses zero bytes
    with text.open() as stream:
        content = stream.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = sniff.from_windows(text) if encoding is None else sniff.to_utf8(text, "utf-8")
        with text.open() as stream:
            return stream.read().decode("utf-8-sig")


def _style_for(style: Style | None, kind: str) -> Style:
    """The style as far as the target's format has it."""
    if style is None or (style.extension not in TEXT and style.extension not in COLUMNS):
        lists = kind in (".edgelist", ".edges")
        plain = Style(kind, BLANKS, None) if lists else Style(kind)
        style = plain if style is None else replace(plain, kinds=style.kinds)
    if kind == ".tsv":
        return replace(style, separator="\t")
    if kind == ".csv" and style.separator == BLANKS:
        return replace(style, separator=",")
    return style


def _write(graph: Graph | Grouping, stream: BinaryIO, kind: str, style: Style) -> None:
    if kind in MARKED:
        write = graphml.write_graphml if kind == ".graphml" else gml.write_gml
        write(graph, stream, style.kinds or "kind")
    elif kind in COLUMNS:
        frame = _frame(graph, style)
        if kind == ".parquet":
            frame.write_parquet(stream)
        else:
            frame.write_ipc(stream)
    elif isinstance(graph, Grouping):
        mark = "," if style.separator == BLANKS else style.separator
        groupings.to_frame(graph).write_csv(stream, separator=mark)
    else:
        write_edge_list(graph, stream, style)


def _frame(graph: Graph | Grouping, style: Style) -> pl.DataFrame:
    if isinstance(graph, Grouping):
        return groupings.to_frame(graph)
    header = style.header or ("source", "target")
    return edge_columns.to_frame(graph, header if header[0] != header[1] else ("source", "target"))


def read_kinds(source: str | Path, graph: Graph) -> pl.Series:
    """The kind of every node of a graph: columns `node` and `kind`, or the first two."""
    frame, name = read_frame(source), quote_value(source)
    if frame.width < 2:
        raise BadGraph(f"{name} has one column; give two, node and kind")
    named = {"node", "kind"} <= set(frame.columns)
    nodes, kinds = (frame[at] for at in (("node", "kind") if named else frame.columns[:2]))
    told = pl.DataFrame({"node": nodes.cast(pl.String), "kind": kinds.cast(pl.String)}).unique()
    if told["kind"].has_nulls() or told["node"].has_nulls():
        raise BadGraph(f"{name} has a row without node or kind; fill it in")
    twice = told.filter(pl.col("node").is_duplicated())
    if twice.height:
        raise BadGraph(f"{name} gives node {quote_value(twice['node'][0])} two kinds; keep one")
    labels = pl.DataFrame({"node": graph.names().cast(pl.String)})
    unknown = told.join(labels, on="node", how="anti")
    if unknown.height:
        raise BadGraph(
            f"{name} names {quote_value(unknown['node'][0])}, which the graph does not have; give a "
            "node without"
            " edges a line of its own in the graph, or remove the row"
        )
    found = labels.join(told, on="node", how="left", maintain_order="left")["kind"]
    if found.has_nulls():
        lacking = labels["node"].filter(found.is_null())[0]
        raise BadGraph(f"{name} has no kind for node {quote_value(lacking)}; give every node one")
    return found
