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
from shoal.engines.frames import FAILURES, reason, shown
from shoal.engines.local import content_of, read_frame, unpacked
from shoal.engines.sniff import Text
from shoal.engines.text import read_text
from shoal.engines.write import file_kind, replacing
from shoal.graphs.formats import columns, gml, graphml, groupings
from shoal.graphs.formats.edgelist import decoded, layout_of, read_edge_list
from shoal.graphs.formats.layout import head_of, public_separator
from shoal.graphs.formats.node_kinds import read_kinds
from shoal.graphs.formats.style import BLANKS, COLUMNS, MARKED, TEXT, ReadGraph, Style
from shoal.graphs.formats.textwriting import write_edge_list
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

_OTHERS = (".json", ".xml", ".gexf", ".net", ".mtx", ".mat", ".npz", ".pickle", ".pkl", ".xlsx", ".zip")
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
    name = "standard input" if str(source) == "-" else shown(source)
    kind, packed = file_kind(source)
    with _told(name):
        if kind in COLUMNS and not packed:
            read = _of_columns(source, name, bool(directed))
        elif kind in _OTHERS:
            raise BadGraph(f"{name} is of a kind that is not read as a graph; give {_KNOWN}")
        else:
            content = content_of(source)
            text = Text(name, unpacked(content, name) if packed else content)
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
    style = _fitting(style, kind)
    with _told(shown(target)), replacing(target) as stream:
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
        raise BadParameter(f"cannot write {shown(target)} as a graph: unknown extension; use {_KNOWN}")
    if kind in COLUMNS:
        require("arrow", f"reading {shown(target)} back", "write .csv")


@contextmanager
def _told(name: str) -> Iterator[None]:
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
    graph = columns.from_frame(frame, name, directed)
    return ReadGraph(graph, replace(style, header=columns.header_of(frame)))


def _of_marked(
    text: Text, kind: str, encoding: str | None, directed: bool | None, kinds: str | None, private: bool
) -> ReadGraph:
    if kind == ".graphml":
        known = None if encoding is None else sniff.checked_encoding(encoding)
        found = graphml.read_graphml(text, known)
    else:
        found = gml.read_gml(_string(text, encoding), text.name)
    return ReadGraph(found.subject(directed, kinds, private), Style(kind, kinds=kinds))


def _of_text(
    text: Text, kind: str, separator: str | None, encoding: str | None, directed: bool, private: bool
) -> ReadGraph:
    text = decoded(text, encoding)
    mark = separator if separator in (None, BLANKS) else sniff.checked_separator(separator or "")
    if mark is None and private:
        mark = public_separator(head_of(text), kind, text.name)
    layout = layout_of(text, mark, private)
    if groupings.is_grouping(layout.first):
        frame = read_text(text, layout.separator)
        return ReadGraph(groupings.from_frame(frame, text.name), Style(kind, layout.separator))
    found = read_edge_list(text, mark, strict=encoding is not None, private=private)
    graph = found.ends.graph(directed, left_out=found.left_out)
    notes = (FIRST_LINE,) if found.doubtful else ()
    return ReadGraph(graph, Style(kind, found.separator, found.header), notes)


def _string(text: Text, encoding: str | None) -> str:
    text = decoded(text, encoding)
    sniff.has_quotes(text)  # refuses zero bytes
    with text.open() as stream:
        content = stream.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = sniff.from_windows(text) if encoding is None else sniff.transcoded(text, "utf-8")
        with text.open() as stream:
            return stream.read().decode("utf-8-sig")


def _fitting(style: Style | None, kind: str) -> Style:
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
    return columns.to_frame(graph, header if header[0] != header[1] else ("source", "target"))
