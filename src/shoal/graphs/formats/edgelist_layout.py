"""What an edge list in text does not say about itself: its separator, its columns, its header.

Lines that begin with # or % are comments, blank lines are passed over. A header is a first line whose names
are words for two ends (`source,target`, `FromNodeId ToNodeId` …) that no node is called by, or whose names
are no numbers where all labels are. A line that names one node only is a node without edges.

Where noise is to hide every edge, no line may decide how others are read. Then a header is a first line of
words for two ends, whatever follows. It tells the separator; without one the extension does (`.csv` a comma,
`.tsv` a tab, all else blanks), and where lines look otherwise it has to be given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.sniff import Text
from shoal.graphs.formats.file_style import BLANKS
from shoal.graphs.formats.node_numbering import Ends

SAMPLE_LINES = 100
_LONG_LINE = 1 << 20
COMMENTS = ("#", "%")
_SEPARATORS = "\t;|,"  # a tie goes to the first: commas are more often part of a name
_ANY = f"{_SEPARATORS} "
_USUAL = {".csv": ",", ".tsv": "\t"}

_NO_TEXT = pl.Series([], dtype=pl.Int64)
_PAIRS = {
    *{("source", "target"), ("sourceid", "targetid"), ("source", "destination"), ("src", "dst")},
    *{("src", "dest"), ("src", "tgt"), ("from", "to"), ("fromid", "toid"), ("fromnode", "tonode")},
    *{("fromnodeid", "tonodeid"), ("node1", "node2"), ("nodea", "nodeb"), ("nodeid1", "nodeid2")},
    *{("id1", "id2"), ("person1", "person2"), ("user1", "user2"), ("start", "end"), ("tail", "head")},
    *{("node", "neighbour"), ("node", "neighbor"), ("follower", "followee"), ("sender", "receiver")},
    *{("sender", "recipient"), ("caller", "callee"), ("vertex1", "vertex2"), ("personid1", "personid2")},
}
_LETTERS = {("u", "v"), ("i", "j")}
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DICTIONARY = re.compile(r"(.*?[ \t])\{.*\}")  # NetworkX writes the attributes of an edge like this
_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')
_TWO_NUMBERS = re.compile(r"-?[0-9]+[\s,;|]+-?[0-9]+")


@dataclass(frozen=True)
class Layout:
    """How lines are cut: `width` fields each, of which two are the ends."""

    separator: str
    width: int
    first: tuple[str, ...] = ()  # the fields of the first line
    ends: tuple[int, int] = (0, 1)  # which fields are the ends, if the first line is a header
    private: bool = False  # no line decides how others are read

    @property
    def maybe_header(self) -> bool:
        """Whether the first line may be one: it names two ends, neither by a number."""
        if len(self.first) < 2 or (self.private and not _is_header(self.first)):
            return False
        return not any(not name or _NUMBER.fullmatch(name) for name in (self.first[at] for at in self.ends))

    @property
    def header(self) -> tuple[str, str]:
        """What the first line calls the ends."""
        return self.first[self.ends[0]], self.first[self.ends[1]]

    def left_out(self, header: bool) -> tuple[str, ...]:
        """The fields that are no ends, by name or place."""
        ends = self.ends if header else (0, 1)
        others = [place for place in range(self.width) if place not in ends]
        return tuple(
            (self.first[place] if header and place < len(self.first) else "") or f"column {place + 1}"
            for place in others
        )


@dataclass(frozen=True, eq=False)
class EdgeList:
    """The edges of a text, and how it was laid out."""

    ends: Ends
    separator: str
    header: tuple[str, str] | None
    left_out: tuple[str, ...]
    doubtful: bool = False  # the first line was read as an edge between two who occur nowhere else


def lines_of(block: str) -> list[str]:
    """Text cut at its line ends, of whatever system."""
    return block.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def head_of(text: Text) -> list[str]:
    """The first lines that are no comments, after the very first line."""
    found: list[str] = []
    with text.open() as stream:
        while len(found) < SAMPLE_LINES and (line := stream.readline(_LONG_LINE)):
            told = lines_of(line.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r"))
            if not found:
                found.append(told[0].removeprefix("\ufeff"))
                told = told[1:]
            found += [line for line in told if not is_comment(line.strip(" \t"))]
    return found[:SAMPLE_LINES]


def is_comment(line: str) -> bool:
    """Whether a line says nothing about nodes."""
    return not line or line.startswith(COMMENTS)


def detect_layout(lines: Sequence[str], separator: str | None, name: str, private: bool = False) -> Layout:
    """The layout that the first lines show."""
    if lines and lines[0].lstrip().lower().startswith("%%matrixmarket"):
        raise BadGraph(
            f"{name} is a Matrix Market file, whose first line of numbers is no edge; read it with"
            " scipy.io.mmread and hand over the matrix"
        )
    sample = [line.strip(" ") for line in lines if not is_comment(line.strip(" \t"))]
    mark = separator or _separator(sample)
    cut = [fields(line, mark) or [""] for line in sample]
    width = next((len(parts) for parts in cut if len(parts) > 1), 2)
    first = tuple(cut[0]) if cut else ()
    return Layout(mark, width, first, ends_of(first), private)


def public_separator(lines: Sequence[str], extension: str, name: str) -> str:
    """What separates ends where noise hides every edge: as the header has it, or as the extension says.

    One person whose line came first used to decide it for everybody: "Ann Lee", who knows nobody, made lone
    nodes of all edges that had a comma. What may be meant otherwise is refused, and no line is asked.
    """
    sample = [_IN_QUOTES.sub("q", line) for line in lines if not is_comment(line.strip(" \t"))]
    if sample and _is_header(fields(sample[0], mark := _separator(sample[:1])) or ()):
        return mark
    usual = _USUAL.get(extension, BLANKS)
    own = " \t" if usual == BLANKS else usual
    strange = {mark for line in sample for mark in _SEPARATORS if mark in line and mark not in own}
    cut = any(mark in line for line in sample for mark in own)
    if strange or (not cut and any(" " in line for line in sample)):
        raise BadGraph(
            f"what separates the ends in {name}? It has no header such as source,target to tell it, and no"
            " edge may; pass --separator"
        )
    return usual


def fields(line: str, separator: str) -> list[str] | None:
    """A line cut at its separators, outside of quotes; None where a quote is not closed."""
    if separator == BLANKS and line.endswith("}") and (told := _DICTIONARY.fullmatch(line)):
        line = f"{told[1]}{{}}"
    if '"' in line:
        return _quote(line, separator)
    if separator == BLANKS:
        return [part for part in line.replace("\t", " ").split(" ") if part]
    return [part.strip(" \t") for part in line.split(separator)]


def is_header(layout: Layout, labels: Collection[str]) -> bool:
    """Whether the first line is a header, given the labels of all other lines."""
    if not layout.maybe_header or layout.private:
        return layout.maybe_header
    names = set(layout.header)
    # A graph of u, v, w … has an edge u,v; a graph of Alice and Bob has a header u,v.
    words = max(map(len, names)) > 1 or (labels and all(len(label) > 1 for label in labels))
    if words and _ends(layout.first) and names.isdisjoint(labels):
        return True
    return bool(labels) and all(_NUMBER.fullmatch(label) for label in labels)


def is_safe_header(names: tuple[str, str], labels: pl.Series) -> bool:
    """Whether a reader will take a first line for a header above these labels."""
    if labels.dtype != pl.String:
        return not any(not name or _NUMBER.fullmatch(name) for name in names)
    if _ends(names) == (0, 1) and max(map(len, names)) > 1 and not labels.is_in(list(names)).any():
        return True
    return bool(labels.str.contains(f"^(?:{_NUMBER.pattern})$").all()) and is_safe_header(names, _NO_TEXT)


def two_numbers(line: str) -> bool:
    """Whether a line without a separator looks like an edge under another one."""
    return _TWO_NUMBERS.fullmatch(line) is not None


def _ends(names: Sequence[str]) -> tuple[int, int] | None:
    """Where the two ends are, by their names."""
    plain = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in names]
    for pairs in (_PAIRS, _LETTERS):
        for one, other in sorted(pairs):
            if one in plain and other in plain:
                return plain.index(one), plain.index(other)
    return None


def ends_of(names: Sequence[str]) -> tuple[int, int]:
    """Which of several columns are the ends: by their names, else the first two."""
    return _ends(names) or (0, 1)


def _is_header(first: Sequence[str]) -> bool:
    """Whether a line is a header for certain. (An edge between u and v is one of the graph.)"""
    ends = _ends(first)
    return ends is not None and max(len(first[end]) for end in ends) > 1


def _separator(lines: Sequence[str]) -> str:
    """The candidate that cuts most lines, evenly, into ends that contain no other one."""
    bare = [_IN_QUOTES.sub("q", line) for line in lines]
    best, most = BLANKS, (False, 0, 0, False)
    for candidate in (*_SEPARATORS, BLANKS):
        cut = [parts for parts in (fields(line, candidate) or [] for line in bare) if len(parts) > 1]
        widths = {len(parts) for parts in cut}
        clean = sum(all(_clean(end, candidate) for end in parts[:2]) for parts in cut)
        score = (len(widths) == 1, len(cut), clean, widths == {2})
        if score > most and (score[0] or len(cut) == len(bare)):
            best, most = candidate, score
    return best


def _clean(end: str, separator: str) -> bool:
    # Names have blanks in them, so that blanks separate for certain only what is numbers.
    return bool(_NUMBER.fullmatch(end)) if separator == BLANKS else not any(mark in end for mark in _ANY)


def _quote(line: str, separator: str) -> list[str] | None:
    mark = r"[ \t]+" if separator == BLANKS else re.escape(separator)
    inside = r" \t" if separator == BLANKS else re.escape(separator)
    pattern = rf'[ ]*(?:"((?:[^"]|"")*)"|([^"{inside}][^{inside}]*?)?)[ ]*({mark}|$)'
    found: list[str] = []
    at = 0
    while True:
        match = re.compile(pattern).match(line, at)
        if match is None:
            return None
        quoted, plain, end = match.groups()
        found.append((plain or "") if quoted is None else quoted.replace('""', '"'))
        at = match.end()
        if not end:
            return found
