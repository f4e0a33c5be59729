"""Files of other programs that look like edge lists and are none: refused by name, lest they are misread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.core.errors import BadGraph
from shoal.graphs.formats.edgelist_layout import SAMPLE_LINES, is_comment

_PAJEK = "is a Pajek file; networkx.read_pajek reads it, and networkx.write_graphml writes what Shoal reads"
_MATRIX_MARKET = "is a Matrix Market file; scipy.io.mmread reads it, and shoal.protect takes the matrix"
_METIS = (
    "is a METIS file by its name, with one line per node; write one edge per line, or call it .txt if it has "
    "that already"
)
_METIS_INSIDE = (
    "is a METIS file: its first line counts nodes and edges, and line after line tells a node's neighbours; "
    "write one edge per line"
)
_ADJACENCY = (
    "is an adjacency list, a node and all its neighbours on one line; write one edge per line, or give "
    "networkx.read_adjlist's graph to shoal.protect"
)
_MATRIX = "is a matrix of 0 and 1, with one row per node; write one edge per line, as in source,target"
_BY_NAME = {".net": _PAJEK, ".paj": _PAJEK, ".mtx": _MATRIX_MARKET, ".graph": _METIS, ".metis": _METIS}

Rows = list[list[str]]  # the cells of the first lines; `cut` says whether there are more lines


def refuse_by_name(kind: str, name: str) -> None:
    """Refuse a file for its extension."""
    if kind in _BY_NAME:
        raise BadGraph(f"{name} {_BY_NAME[kind]}")


def refuse_by_content(first_line: str, lines: Sequence[str], separator: str, name: str) -> None:
    """Refuse a text for its first lines, whatever it is called.

    Never where a promise of noise holds: no edge may decide there whether there is an answer.
    """
    word = first_line.lstrip("\ufeff \t").lower()
    if word.startswith(("*vertices", "*network")):
        raise BadGraph(f"{name} {_PAJEK}")
    rows, cut = rows_of(lines, separator), len(lines) >= SAMPLE_LINES
    for found, what in ((is_matrix, _MATRIX), (is_metis, _METIS_INSIDE), (is_adjacency, _ADJACENCY)):
        if found(rows, cut):
            raise BadGraph(f"{name} {what}")


def rows_of(lines: Sequence[str], separator: str) -> Rows:
    """The cells of lines that are no comments."""
    told = [line for line in lines if not is_comment(line.strip(" \t"))]
    rows = [line.split(separator) if separator.strip() else line.split() for line in told]
    return [[cell.strip().strip('"') for cell in row] for row in rows]


def is_metis(rows: Rows, cut: bool) -> bool:
    """Whether these are the first lines of a METIS file: how many nodes and edges, then neighbours by number.

    Lines of nodes without neighbours are blank, and are not among these; then the first line has more nodes
    than lines follow, and only the sum of all neighbours tells.
    """
    if not rows or len(rows[0]) not in (2, 3) or not all(_whole(cell) for row in rows for cell in row):
        return False
    nodes, edges, *form = map(int, rows[0])
    near = [list(map(int, row)) for row in rows[1:]]
    if any(form) or not edges or not all(0 < other <= nodes for row in near for other in row):
        return False
    if not cut and sum(map(len, near)) != 2 * edges:
        return False
    if len(near) < nodes and not cut:  # some have no neighbours: which ones is not known
        return any(len(row) > len(rows[0]) for row in near)
    told = {at: set(row) for at, row in enumerate(near, 1)}
    return (len(near) == nodes or cut) and _mutual(told) >= (3 if cut else 1)


def is_adjacency(rows: Rows, cut: bool) -> bool:
    """Whether each of these lines is a node and its neighbours, every edge told once or from both sides."""
    firsts = {row[0] for row in rows if row}
    if len(firsts) < len(rows) or max(map(len, rows), default=0) < 3:
        return False
    if any(len(set(row)) < len(row) for row in rows):
        return False  # weights are equal to labels, or to each other
    if len({len(row) for row in rows} - {1}) > 1:  # no edge list is like that
        strange = sum(cell not in firsts for row in rows for cell in row[2:])
        return strange == 0 or (cut and all(_whole(c) for r in rows for c in r))
    return not cut and _mutual({row[0]: set(row[1:]) for row in rows}) > 0


def _mutual(told: Mapping[Any, set[Any]]) -> int:
    """How many pairs name each other, 0 where one does not name the other back."""
    pairs = [(one, other) for one, others in told.items() for other in others if other in told]
    return len(pairs) // 2 if all(one in told[other] for one, other in pairs) else 0


def _whole(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def is_matrix(rows: Rows, cut: bool) -> bool:
    """Whether these are the first rows of a square matrix of 0 and 1, with names around it or without."""
    named = bool(rows) and not set(rows[0]) <= {"0", "1"}
    if named and len(rows) > 1 and rows[0][1:] and [row[0] for row in rows[1:]] == rows[0][1 : len(rows)]:
        rows = [row[1:] for row in rows[1:]]
        if not cut and rows and len(rows) != len(rows[0]):
            return False
    width = len(rows[0]) if rows else 0
    if width < 3 or not (len(rows) == width or (cut and width > len(rows))):
        return False
    return all(len(row) == width and set(row) <= {"0", "1"} for row in rows)
