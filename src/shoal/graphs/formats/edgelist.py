"""Edge lists in text: plain whole numbers by a compiled loop, all else line by line."""

from __future__ import annotations

import codecs
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from shoal.core.errors import BadGraph
from shoal.engines import sniff
from shoal.engines.frames import quote_value
from shoal.engines.sniff import Text
from shoal.graphs.formats.edgelist_layout import (
    EdgeList,
    Layout,
    detect_layout,
    fields,
    head_of,
    is_comment,
    is_header,
    lines_of,
    two_numbers,
)
from shoal.graphs.formats.edgelist_numbers import read_plain
from shoal.graphs.formats.file_style import BLANKS
from shoal.graphs.formats.node_numbering import of_texts


def decode(text: Text, encoding: str | None) -> Text:
    """The text in UTF-8, unless it claims to be that already."""
    known = sniff.check_encoding(encoding) if encoding else sniff.encoding_by_mark(text)
    return text if known is None or known == "utf-8" else sniff.to_utf8(text, known)


def layout_of(text: Text, separator: str | None, private: bool = False) -> Layout:
    """How the first lines are cut; the separator is detected when it is not given."""
    return detect_layout(head_of(text), separator, text.name, private)


def read_edge_list(
    text: Text, separator: str | None = None, strict: bool = False, private: bool = False
) -> EdgeList:
    """The edges of a text in UTF-8; unless `strict`, Windows-1252 is tried too."""
    layout = layout_of(text, separator, private)
    plain = read_plain(text, layout)
    if plain is not None:
        return plain
    sniff.has_quotes(text)  # refuses zero bytes
    try:
        return read_lines(text, layout, guessed=separator is None)
    except UnicodeDecodeError:
        text = sniff.to_utf8(text, "utf-8") if strict else sniff.from_windows(text)
    return read_lines(text, layout_of(text, separator, private), guessed=separator is None)


_ONE_END = "does not name both ends; fill in the label, or leave a lone source for a node without edges"


@dataclass(frozen=True, eq=False)
class _LabelledEdges:
    """Labels in the order of their coming, and edges between their numbers."""

    numbers: dict[str, int] = field(default_factory=dict)
    sources: array[int] = field(default_factory=lambda: array("i"))
    targets: array[int] = field(default_factory=lambda: array("i"))

    def add(self, source: str, target: str) -> None:
        number = self.numbers.setdefault(source, len(self.numbers))
        if target:
            self.sources.append(number)
            self.targets.append(self.numbers.setdefault(target, len(self.numbers)))


def read_lines(text: Text, layout: Layout, guessed: bool) -> EdgeList:
    """The edges of a text in UTF-8; `guessed` says that the separator was not given but detected."""
    header = layout.maybe_header
    found = _read_labelled(text, layout, guessed, header)
    doubtful = False
    if header and not is_header(layout, found.numbers.keys()):
        header = False
        doubtful = bool(found.numbers) and found.numbers.keys().isdisjoint(layout.first)
        if layout.ends == (0, 1):
            found.add(*layout.first[:2])
        else:
            found = _read_labelled(text, layout, guessed, header)
    if not (found.numbers or layout.private):
        raise BadGraph(
            f"{text.name} has {'a header but ' if header else ''}no edges; give one edge per line,"
            " such as 1,2"
        )
    ends = of_texts(
        list(found.numbers), *(np.asarray(end, np.int32) for end in (found.sources, found.targets))
    )
    return EdgeList(
        ends, layout.separator, layout.header if header else None, layout.left_out(header), doubtful
    )


def _read_labelled(text: Text, layout: Layout, guessed: bool, header: bool) -> _LabelledEdges:
    found, pairs, waiting = _LabelledEdges(), False, header
    ends, separator = layout.ends if header else (0, 1), layout.separator
    blanks = " " if separator == "\t" else " \t"
    usual = layout.width == 2 and separator != BLANKS and ends == (0, 1)
    # A byte that is no UTF-8 stays a matter of its own label where no line may decide how others are read.
    errors = "backslashreplace" if layout.private else "strict"
    for number, line in enumerate(_lines(text, errors), start=1):
        line = line.strip(blanks)
        if is_comment(line.strip(" \t")):
            continue
        if waiting:
            waiting = False
            continue
        if usual and '"' not in line and line.count(separator) == 1:
            # Nearly all lines are like this, and there may be millions.
            source, _, target = line.partition(separator)
            source, target, pairs = source.rstrip(" \t"), target.lstrip(" \t"), True
        else:
            source, target = _split_line(line, layout, ends, guessed, f"line {number:,} of {text.name}")
            pairs = pairs or separator in line
        if not source:
            raise BadGraph(f"line {number:,} of {text.name} {_ONE_END}")
        found.add(source, target)
    if found.numbers and not (pairs or header or found.sources or layout.private):
        raise BadGraph(
            f"{text.name} has one column only, so there is no edge; give two labels per line, such as 1,2"
        )
    return found


def _split_line(
    line: str, layout: Layout, ends: tuple[int, int], guessed: bool, where: str
) -> tuple[str, str]:
    """The two labels of a line; the second is empty for a node without edges."""
    parts, mark = fields(line, layout.separator), _message(layout.separator)
    if parts is None:
        raise BadGraph(f'{where} has a quote that is not closed; close it, or write a literal quote as ""')
    if len(parts) == layout.width:
        source, target = (parts[end] for end in ends)
        if not target and any(parts[ends[1] :]):
            raise BadGraph(f"{where} {_ONE_END}")
        return source, target
    if any(parts[1:]):
        raise BadGraph(
            f"{where} has {len(parts)} fields where others have {layout.width}; give one edge per line, and"
            f" quote labels that contain {mark}"
        )
    if guessed and two_numbers(line):
        raise BadGraph(
            f"{where} is {quote_value(line)}, without {mark} as in other lines; repair the line or pass "
            "--separator"
        )
    return parts[0], ""


def _lines(text: Text, errors: str) -> Iterator[str]:
    rest = b""
    first = True
    for chunk in text.chunks():
        whole, mark, rest = (rest + chunk).rpartition(b"\n")
        if mark:
            if first:
                whole = whole.removeprefix(codecs.BOM_UTF8)
                first = False
            yield from lines_of(whole.decode("utf-8", errors))
    yield from lines_of((rest.removeprefix(codecs.BOM_UTF8) if first else rest).decode("utf-8", errors))


def _message(separator: str) -> str:
    return {"\t": "a tab", BLANKS: "blanks"}.get(separator) or quote_value(separator)
