"""Whether a call from Python is about a graph: by its data, its words, its promises, or the file itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from shoal.catalog import Kind, noun_of
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.manifest import beside, is_of_graph
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.requests import AttackGraph, MeasureGraph, ProtectGraph, ReportGraph, VerifyGraph
from shoal.jobs.tables.requests import AttackTable, MeasureTable, ProtectTable, ReportTable, VerifyTable
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

# The requests that one function of Python takes for both, and the words of theirs that only graphs know.
GRAPHS = (ProtectGraph, VerifyGraph, MeasureGraph, AttackGraph, ReportGraph)
TABLES = (ProtectTable, VerifyTable, MeasureTable, AttackTable, ReportTable)
WORDS = {one.name for request in GRAPHS for one in fields(request)} - {
    one.name for request in TABLES for one in fields(request)
}
FILES = (".edgelist", ".edges", ".gml", ".graphml")
LIBRARIES = ("igraph", "networkx")
KINDS: tuple[Kind, ...] = ("attack", "model", "method")


def is_graph(data: Any) -> bool:
    """Whether an object is a graph, ours or that of a library."""
    if isinstance(data, Graph | Grouping | GraphRelease):
        return True
    return any(base.__module__.partition(".")[0] in LIBRARIES for base in type(data).__mro__)


def about_graph(data: Any, options: Mapping[str, Any]) -> bool:
    """Whether a request is about a graph; what is said about a path decides, and then the path."""
    if is_graph(data):
        return True
    if isinstance(data, Table | TableRelease):
        return False
    if any(options.get(word) is not None for word in WORDS):
        return True
    for kind in KINDS:
        given = options.get(kind)
        several = given if isinstance(given, list | tuple) else [] if given is None else [given]
        nouns = {noun_of(kind, part) for part in several}
        if nouns:
            return "graph" in nouns
    if not isinstance(data, str | Path) or str(data) == "-":
        return False
    return Path(data).suffix.lower() in FILES or is_of_graph(beside(data))
