"""Edge lists in any text, line by line."""

from __future__ import annotations

import codecs
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from shoal.core.errors import BadGraph
from shoal.engines.frames import shown
from shoal.engines.sniff import Text
from shoal.graphs.formats.layout import EdgeList, Layout, fields, is_comment, is_header, lines_of, two_numbers
from shoal.graphs.formats.numbering import of_texts
from shoal.graphs.formats.style import BLANKS


@dataclass(frozen=True, eq=False)
class _Found:
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
    found = _found(text, layout, guessed, header)
    if header and not is_header(layout, found.numbers.keys()):
        header = False
        if layout.ends == (0, 1):
            found.add(*layout.first[:2])
        else:
            found = _found(text, layout, guessed, header)
    if not found.numbers:
        raise BadGraph(
            f"{text.name} has {'a header but ' if header else ''}no edges; give one edge per line,"
            " such as 1,2"
        )
    ends = of_texts(
        list(found.numbers), *(np.asarray(end, np.int32) for end in (found.sources, found.targets))
    )
    return EdgeList(ends, layout.separator, layout.header if header else None, layout.left_out(header))


def _found(text: Text, layout: Layout, guessed: bool, header: bool) -> _Found:
    found, number, pairs = _Found(), 0, False
    one, other = layout.ends if header else (0, 1)
    separator, width, waiting = layout.separator, layout.width, header
    blanks = " " if separator == "\t" else " \t"
    for number, line in enumerate(_lines(text), start=1):
        line = line.strip(blanks)
        if is_comment(line.strip(" \t")):
            continue
        if waiting:
            waiting = False
            continue
        parts = fields(line, separator)
        if parts is None:
            raise BadGraph(
                f"line {number:,} of {text.name} has a quote that is not closed; close it, or write a literal"
                ' quote as ""'
            )
        if len(parts) == width:
            source, target, pairs = parts[one], parts[other], True
            if not source or (not target and any(parts[other:])):
                raise BadGraph(_missing(text, number))
        elif not any(parts[1:]):
            source, target, pairs = parts[0], "", pairs or len(parts) > 1
            if guessed and two_numbers(line):
                raise BadGraph(
                    f"line {number:,} of {text.name} is {shown(source)}, without {_told(separator)} as in"
                    " other lines; repair the line or pass --separator"
                )
            if not source:
                raise BadGraph(_missing(text, number))
        else:
            raise BadGraph(
                f"line {number:,} of {text.name} has {len(parts)} fields where others have {width}; give one"
                f" edge per line, and quote labels that contain {_told(separator)}"
            )
        found.add(source, target)
    if found.numbers and not (pairs or header):
        raise BadGraph(
            f"{text.name} has one column only, so there is no edge; give two labels per line, such as 1,2"
        )
    return found


def _lines(text: Text) -> Iterator[str]:
    rest = b""
    first = True
    for chunk in text.chunks():
        whole, mark, rest = (rest + chunk).rpartition(b"\n")
        if mark:
            if first:
                whole = whole.removeprefix(codecs.BOM_UTF8)
                first = False
            yield from lines_of(whole.decode("utf-8"))
    yield from lines_of((rest.removeprefix(codecs.BOM_UTF8) if first else rest).decode("utf-8"))


def _missing(text: Text, number: int) -> str:
    return (
        f"line {number:,} of {text.name} does not name both ends; fill in the label, or leave a lone source"
        " for a node without edges"
    )


def _told(separator: str) -> str:
    return {"\t": "a tab", BLANKS: "blanks"}.get(separator) or shown(separator)
