"""How a graph file is written, so that a release can be written as its original was."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

BLANKS = " "  # the separator of edge lists whose ends stand apart by blanks or tabs

TEXT = ("", ".csv", ".edgelist", ".edges", ".tsv", ".txt")
COLUMNS = (".arrow", ".feather", ".ipc", ".parquet")
MARKED = (".gml", ".graphml")


@dataclass(frozen=True)
class Style:
    """The extension a file had, the separator of its text, and what it called its ends and its kinds."""

    extension: str = ".csv"
    separator: str = ","
    header: tuple[str, str] | None = ("source", "target")  # None: the first line is an edge
    kinds: str | None = None  # the attribute of nodes that tells their kind


@dataclass(frozen=True, eq=False)
class ReadGraph:
    """What a file holds, and how it was written."""

    graph: Graph | Grouping
    style: Style
    notes: tuple[str, ...] = ()  # what may have been misread
