"""Files of other programs that look like edge lists and are none: refused by name, lest they are misread."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.core.errors import BadGraph
from shoal.graphs.formats.edgelist_layout import SAMPLE_LINES

_PAJEK = "is a Pajek file; networkx.read_pajek reads it, and networkx.write_graphml writes what Shoal reads"
_MATRIX_MARKET = "is a Matrix Market file; scipy.io.mmread reads it, and shoal.protect takes the matrix"
_METIS = (
    "is a METIS file by its name, with one line per node; write one edge per line, or call it .txt if it has "
    "that already"
)
_MATRIX = "is a matrix of 0 and 1, with one row per node; write one edge per line, as in source,target"
_BY_NAME = {".net": _PAJEK, ".paj": _PAJEK, ".mtx": _MATRIX_MARKET, ".graph": _METIS, ".metis": _METIS}


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
    if is_matrix(lines, separator):
        raise BadGraph(f"{name} {_MATRIX}")


def is_matrix(lines: Sequence[str], separator: str) -> bool:
    """Whether these are the first rows of a square matrix of 0 and 1, with names around it or without."""
    rows = [line.split(separator) if separator.strip() else line.split() for line in lines if line.strip()]
    rows = [[cell.strip().strip('"') for cell in row] for row in rows]
    cut = len(lines) >= SAMPLE_LINES
    named = bool(rows) and not set(rows[0]) <= {"0", "1"}
    if named and len(rows) > 1 and rows[0][1:] and [row[0] for row in rows[1:]] == rows[0][1 : len(rows)]:
        rows = [row[1:] for row in rows[1:]]
        if not cut and rows and len(rows) != len(rows[0]):
            return False
    width = len(rows[0]) if rows else 0
    if width < 3 or not (len(rows) == width or (cut and width > len(rows))):
        return False
    return all(len(row) == width and set(row) <= {"0", "1"} for row in rows)
