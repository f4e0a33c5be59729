"""GraphML, read by a parser that expands no entities and opens no other file."""

from __future__ import annotations

import re
from typing import BinaryIO
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import quote_value, reason
from shoal.engines.sniff import Text
from shoal.graphs.formats.markup import EDGES, SIZE, MarkupGraph
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

_BLOCK = 200_000  # lines that are written at a time
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
_REFUSED = {"hyperedge": "hyperedges", "port": "ports"}
_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class _Reader:
    """What to do at each tag. Attributes wait in `key` until their text is complete."""

    def __init__(self, name: str) -> None:
        self.found = MarkupGraph(name)
        self.keys: dict[str, str] = {}
        self.sides: dict[str, str] = {}
        self.defaults: dict[str, str] = {}
        self.path: list[str] = []
        self.graphs = 0
        self.node = self.edge = -1
        self.key: str | None = None
        self.text: list[str] = []
        self.directions: set[bool] = set()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        name, inside = self.found.name, self.path[-1] if self.path else ""
        self.path.append(tag)
        if not inside and tag != "graphml":
            raise BadGraph(f"{name} is XML but no GraphML: it begins with <{tag}>; give a GraphML file")
        if tag == "node" and inside == "graph":
            self.node = self.found.add_node(attributes.get("id", ""))
        elif tag == "edge" and inside == "graph":
            self._edge(attributes)
        elif tag == "data" and inside in ("node", "edge", "graph"):
            self.key, self.text = attributes.get("key", ""), []
        elif tag == "default" and inside == "key":
            self.text = []
        elif tag == "graph":
            self._graph(attributes, inside)
        elif tag == "key":
            self.last = attributes.get("id", "")
            self.keys[self.last] = attributes.get("attr.name", self.last)
            self.sides[self.last] = attributes.get("for", "all")
        elif tag in _REFUSED and inside in ("graph", "node"):
            raise BadGraph(f"{name} has {_REFUSED[tag]}; give a graph whose edges join two nodes")

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        self.path.pop()
        inside = self.path[-1] if self.path else ""
        if tag == "data" and self.key is not None:
            value = "".join(self.text).strip()
            named = self.keys.get(self.key, self.key)
            if inside == "node":
                self.found.nodes.setdefault(named, {})[self.node] = value
            elif inside == "edge":
                self.found.edges.setdefault(named, {})[self.edge] = value
            self.key = None
        elif tag == "default" and inside == "key":
            self.defaults[self.last] = "".join(self.text).strip()

    def characters(self, text: str) -> None:
        if self.path[-1] in ("data", "default"):
            self.text.append(text)

    def entity(self, *_told: object) -> None:
        raise BadGraph(f"{self.found.name} declares entities, which are never expanded; remove its DOCTYPE")

    def finish(self) -> MarkupGraph:
        if not self.graphs:
            raise BadGraph(f"{self.found.name} has no <graph>; give a GraphML file with one")
        if len(self.directions) == 2:
            raise BadGraph(
                f"{self.found.name} has edges with and without direction; give all of them the same"
            )
        self.found.directed = True in self.directions if self.directions else self.found.directed
        for key, value in self.defaults.items():
            if self.sides[key] in ("node", "all"):
                told = self.found.nodes.setdefault(self.keys[key], {})
                for number in range(len(self.found.ids)):
                    told.setdefault(number, value)
        pair = {(self.sides[key], named) for key, named in self.keys.items()}
        self.found.grouped = {("node", SIZE), ("edge", EDGES)} <= pair
        return self.found

    def _graph(self, attributes: dict[str, str], inside: str) -> None:
        if inside != "graphml":
            raise BadGraph(f"{self.found.name} has a graph inside a node; give one flat graph")
        self.graphs += 1
        if self.graphs > 1:
            raise BadGraph(f"{self.found.name} has several graphs; give a file with one")
        self.found.directed = attributes.get("edgedefault", "undirected") == "directed"

    def _edge(self, attributes: dict[str, str]) -> None:
        if "source" not in attributes or "target" not in attributes:
            raise BadGraph(f"{self.found.name} has an edge without source or target; give it both")
        self.edge = self.found.add_edge(attributes["source"], attributes["target"])
        told = attributes.get("directed")
        self.directions.add(self.found.directed if told is None else told == "true")


def read_graphml(text: Text, encoding: str | None = None) -> MarkupGraph:
    """The nodes and edges of a GraphML file."""
    reader = _Reader(text.name)
    try:
        parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
        parser.CharacterDataHandler = reader.characters
        parser.EntityDeclHandler = reader.entity
        with text.open() as stream:
            parser.ParseFile(stream)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise BadGraph(f"{text.name} is no sound GraphML: {reason(error)}; write the file again") from error
    return reader.finish()


def write_graphml(subject: Graph | Grouping, stream: BinaryIO, kinds: str = "kind") -> None:
    """A graph with its kinds, or a grouping with its sizes."""
    stream.write(_HEAD.encode())
    data: pl.Series | None
    weights: pl.Series | None
    if isinstance(subject, Grouping):
        names = pl.Series(range(subject.groups)).cast(pl.String)
        data, weights = pl.Series(subject.sizes), pl.Series(subject.weights)
        sources, targets, directed = subject.sources, subject.targets, False
        keys = _key("node", "n", SIZE, "long") + _key("edge", "e", EDGES, "long")
    else:
        edges = subject.edge_list()
        names, weights, directed = _attributes(subject.names()), None, subject.directed
        data = None if subject.kinds is None else _attributes(subject.kinds.cast(pl.String))
        sources, targets = edges.sources, edges.targets
        keys = "" if data is None else _key("node", "n", kinds, "string")
    direction = "directed" if directed else "undirected"
    stream.write(f'{keys}<graph edgedefault="{direction}">\n'.encode())
    inside = "" if data is None else '<data key="n">{}</data>'
    shape = '<node id="{}"/>' if data is None else f'<node id="{{}}">{inside}</node>'
    _write(stream, shape, names, *([] if data is None else [data]))
    for start in range(0, len(sources), _BLOCK):
        part = slice(start, start + _BLOCK)
        ends = [names[sources[part]], names[targets[part]]]
        if weights is None:
            _write(stream, '<edge source="{}" target="{}"/>', *ends)
        else:
            told = '<edge source="{}" target="{}"><data key="e">{}</data></edge>'
            _write(stream, told, *ends, weights[part])
    stream.write(b"</graph>\n</graphml>\n")


def _write(stream: BinaryIO, shape: str, *columns: pl.Series) -> None:
    for start in range(0, len(columns[0]), _BLOCK):
        frame = pl.DataFrame({str(at): column[start : start + _BLOCK] for at, column in enumerate(columns)})
        lines = frame.select(pl.format(shape, *frame.columns)).to_series()
        stream.write("".join(f"{line}\n" for line in lines).encode())


def _key(side: str, identity: str, name: str, kind: str) -> str:
    return f'<key id="{identity}" for="{side}" attr.name={quoteattr(name)} attr.type="{kind}"/>\n'


def _attributes(texts: pl.Series) -> pl.Series:
    if texts.dtype != pl.String:
        return texts.cast(pl.String)
    forbidden = texts.filter(texts.str.contains(_FORBIDDEN.pattern))
    if len(forbidden):
        raise BadGraph(
            f"label {quote_value(repr(forbidden[0]))} has a character that XML cannot hold; write "
            "Parquet instead"
        )
    marks = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", **_BREAKS}
    return texts.str.replace_many(list(marks), list(marks.values()))
