"""GML, as NetworkX and igraph write it: keys with numbers, texts or lists in brackets."""

from __future__ import annotations

import html
import re
from typing import BinaryIO

import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import one_line, quote_value
from shoal.graphs.formats.markup import EDGES, SIZE, MarkupGraph
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

_BLOCK = 200_000  # lines that are written at a time
_TOKEN = re.compile(r'\s*(?:#[^\n]*\n\s*)*(?:([A-Za-z_][\w.]*)|([-+\d.][-+\w.]*)|"([^"]*)"|([\[\]])|(\S)|\Z)')
_REFERENCE = re.compile(r"&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|[A-Za-z][A-Za-z0-9]*);")
_GROUPING = "grouping"  # tells that nodes are groups, even where there is no edge to tell it


class _Reader:
    """What is open at present: the whole file, the graph, one node or edge, or a list inside of these."""

    def __init__(self, name: str) -> None:
        self.found = MarkupGraph(name)
        self.graphs = 0
        self.open: list[str] = []
        self.values: dict[str, str] = {}

    def begin(self, key: str) -> None:
        self.open.append(key)
        if key == "graph":
            self.graphs += 1
            if len(self.open) > 1 or self.graphs > 1:
                raise BadGraph(f"{self.found.name} has several graphs; give a file with one")
        if len(self.open) == 2:
            self.values = {}
        elif len(self.open) == 3 and self.open[1] in ("node", "edge"):
            self.values.setdefault(key, "")  # a list, such as graphics: named as left out

    def value(self, key: str, value: str) -> None:
        if self.open == ["graph"]:
            if key == "directed":
                self.found.directed = value == "1"
            elif key == _GROUPING:
                self.found.grouped = value == "1"
        elif len(self.open) == 2:
            self.values[key] = value

    def end(self) -> None:
        if self.open == ["graph", "node"]:
            number = self.found.add_node(self.values.pop("id", ""))
            for key, value in self.values.items():
                self.found.nodes.setdefault(key, {})[number] = value
        elif self.open == ["graph", "edge"]:
            if not {"source", "target"} <= self.values.keys():
                raise BadGraph(f"{self.found.name} has an edge without source or target; give it both")
            number = self.found.add_edge(self.values.pop("source"), self.values.pop("target"))
            for key, value in self.values.items():
                self.found.edges.setdefault(key, {})[number] = value
        self.open.pop()


def read_gml(text: str, name: str) -> MarkupGraph:
    """The nodes and edges of a GML file."""
    reader = _Reader(name)
    key: str | None = None
    for match in _TOKEN.finditer(text):
        word, number, quoted, bracket, strange = match.groups()
        if word is not None and key is None:
            key = word
        elif bracket == "[" and key is not None:
            reader.begin(key)
            key = None
        elif bracket == "]" and key is None and reader.open:
            reader.end()
        elif key is not None and (number is not None or quoted is not None or word is not None):
            told = next(value for value in (number, quoted, word) if value is not None)
            reader.value(key, _plain_text(told) if quoted and "&" in told else told)
            key = None
        elif match.group().strip():
            line = text.count("\n", 0, match.end()) + 1
            found = strange or match.group().strip()
            raise BadGraph(
                f"{name} is no sound GML: {quote_value(one_line(found))} on line {line:,}; write the "
                "file again"
            )
    if reader.open or key is not None:
        raise BadGraph(f"{name} ends inside a bracket; the file is not whole")
    if not reader.graphs:
        raise BadGraph(f"{name} has no graph [ … ]; give a GML file with one")
    return reader.found


def write_gml(subject: Graph | Grouping, stream: BinaryIO, kinds: str = "kind") -> None:
    """A graph with its kinds, or a grouping with its sizes."""
    stream.write(b"graph [\n")
    if isinstance(subject, Grouping):
        stream.write(f"  {_GROUPING} 1\n".encode())
        for number, size in enumerate(subject.sizes.tolist()):
            stream.write(f'  node [ id {number} label "{number}" {SIZE} {size} ]\n'.encode())
        for ends in zip(
            *(part.tolist() for part in (subject.sources, subject.targets, subject.weights)), strict=True
        ):
            stream.write("  edge [ source {} target {} {} {} ]\n".format(*ends[:2], EDGES, ends[2]).encode())
    else:
        stream.write(f"  directed {int(subject.directed)}\n".encode())
        told = None if subject.kinds is None else _quote(subject.kinds)
        for number, label in enumerate(_quote(subject.names())):
            kind = "" if told is None else f' {_plain(kinds)} "{told[number]}"'
            stream.write(f'  node [ id {number} label "{label}"{kind} ]\n'.encode())
        edges = subject.edge_list()
        for start in range(0, len(edges), _BLOCK):
            part = slice(start, start + _BLOCK)
            frame = pl.DataFrame({"source": edges.sources[part], "target": edges.targets[part]})
            lines = frame.select(
                pl.format("  edge [ source {} target {} ]\n", "source", "target")
            ).to_series()
            stream.write("".join(lines).encode())
    stream.write(b"]\n")


def _plain_text(quoted: str) -> str:
    """The text with its references resolved, to the very characters that they number.

    `html.unescape` alone would not do: as browsers do, it reads 133 as the Windows character of that number.
    """
    return _REFERENCE.sub(_character, quoted)


def _character(found: re.Match[str]) -> str:
    whole, sixteen, ten = found.group(), found[1], found[2]
    if sixteen is None and ten is None:
        return html.unescape(whole)
    number = int(sixteen, 16) if sixteen else int(ten)
    there = number < 0x110000 and not 0xD800 <= number < 0xE000
    return chr(number) if there else whole


def _quote(texts: pl.Series) -> list[str]:
    """GML is plain ASCII: all else is written as a reference, and so are quotes."""
    if texts.dtype != pl.String:
        return texts.cast(pl.String).to_list()
    marked = texts.str.replace_many(["&", '"', "\n", "\r"], ["&amp;", "&quot;", "&#10;", "&#13;"])
    return [text if text.isascii() else text.encode("ascii", "xmlcharrefreplace").decode() for text in marked]


def _plain(key: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", key) or "kind"
