"""Edge lists in text: plain whole numbers by a compiled loop, all else line by line."""

from __future__ import annotations

from shoal.engines import sniff
from shoal.engines.sniff import Text
from shoal.graphs.formats.layout import EdgeList, Layout, detected, head_of
from shoal.graphs.formats.lines import read_lines
from shoal.graphs.formats.plain import read_plain


def decoded(text: Text, encoding: str | None) -> Text:
    """The text in UTF-8, unless it claims to be that already."""
    known = sniff.checked_encoding(encoding) if encoding else sniff.marked_encoding(text)
    return text if known is None or known == "utf-8" else sniff.transcoded(text, known)


def layout_of(text: Text, separator: str | None, private: bool = False) -> Layout:
    """How the first lines are cut; the separator is detected when it is not given."""
    return detected(head_of(text), separator, text.name, private)


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
        text = sniff.transcoded(text, "utf-8") if strict else sniff.from_windows(text)
    return read_lines(text, layout_of(text, separator, private), guessed=separator is None)
