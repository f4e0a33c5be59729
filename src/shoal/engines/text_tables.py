"""Text tables: every value stays the text it is in the file, so that 02138 stays 02138.

An empty field is a missing value, a quoted empty field is an empty text. A blank line is skipped, except in
a table of one column, where it is a missing value. A line with too few or too many fields is refused, never
filled up.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.core.errors import BadTable
from shoal.engines import sniff
from shoal.engines.frames import check_present, reason
from shoal.engines.sniff import Layout, NotUtf8, Text

if TYPE_CHECKING:
    from shoal.engines.csv_kernels import Bytes, Int32

# The longest possible record: large enough for few chunks, small enough for the cores to share a file.
BLOCK = sniff.LONGEST
_NOTHING = pl.Series([None], dtype=pl.String)


def read_text(
    text: Text,
    separator: str | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    fallback: str = ",",
    guess: bool = True,
) -> pl.DataFrame:
    """The table in a text; separator and encoding are detected when they are not given.

    Without a `guess` a text is UTF-8, unless a byte-order mark says otherwise, separated as its header is.
    """
    if separator is not None:
        separator = sniff.check_separator(separator)
    known = sniff.check_encoding(encoding) if encoding else sniff.encoding_by_mark(text)
    if known is not None and known != "utf-8":
        text = sniff.to_utf8(text, known)
    try:
        return _parse(text, separator, columns, fallback, guess)
    except NotUtf8:
        text = sniff.from_windows(text) if guess and not known else sniff.to_utf8(text, known or "utf-8")
        return _parse(text, separator, columns, fallback, guess)


def _parse(
    text: Text, separator: str | None, columns: Sequence[str] | None, fallback: str, guess: bool
) -> pl.DataFrame:
    sniff.has_quotes(text)  # refuses zero bytes
    layout = sniff.layout(text, separator, fallback, guess)
    wanted = layout.names if columns is None else list(dict.fromkeys(columns))
    check_present(wanted, layout.names)
    parts = list(_parts(text, layout, wanted))
    return pl.concat(parts, rechunk=False) if parts else pl.DataFrame(schema=dict.fromkeys(wanted, pl.String))


def _parts(text: Text, layout: Layout, columns: list[str]) -> Iterator[pl.DataFrame]:
    """The records of a text, some megabytes at a time."""
    from shoal.engines.csv_kernels import OPEN, WHOLE, fields

    width, mark = len(layout.names), np.uint8(ord(layout.separator))
    places = [(name, layout.names.index(name)) for name in columns]
    header, last, rest = True, False, b""
    try:
        with text.open() as stream:
            while not last:
                read = stream.read(BLOCK)
                last = len(read) < BLOCK
                content = (rest + read).removeprefix(BOM_UTF8).lstrip(b"\r\n") if header else rest + read
                block = np.frombuffer(content, np.uint8)
                starts, ends = np.empty((2, len(block) + 1), np.int32)
                kinds = np.empty(len(block) + 1, np.uint8)
                records, taken, outcome = fields(block, mark, width, last, starts, ends, kinds)
                if outcome != WHOLE:
                    sentence = sniff.complaint(text, layout, open_at_end=outcome == OPEN)
                    raise BadTable(
                        sentence or _unreadable(text, "its lines have different numbers of fields")
                    )
                if not records and len(content) > BLOCK:
                    raise BadTable(sniff.complaint(text, layout) or _endless(text))
                rest = content[taken:]
                if records:
                    cut = slice(width if header else 0, records * width)
                    header = False
                    yield _frame(block, starts[cut], ends[cut], kinds[cut], width, places)
    except OSError as error:
        raise BadTable(_unreadable(text, reason(error))) from error


def _frame(
    block: Bytes, starts: Int32, ends: Int32, kinds: Bytes, width: int, places: Sequence[tuple[str, int]]
) -> pl.DataFrame:
    from shoal.engines.csv_kernels import column

    rows = len(starts) // width
    missing, buffer = np.empty(rows, np.bool_), np.empty(len(block) + rows, np.uint8)
    found = []
    for name, place in places:
        every = slice(place, None, width)
        length = column(block, starts[every], ends[every], kinds[every], buffer, missing)
        try:
            # Polars cuts a text into a column faster than Python makes its values one by one.
            values = pl.Series("", [buffer[: max(length - 1, 0)].tobytes().decode("utf-8")])
        except UnicodeDecodeError:
            raise NotUtf8 from None
        values = values.str.split("\0").explode() if rows else values.clear()
        # Named last: Polars would take a name such as ^zip.*$ for a pattern.
        found.append(
            (values.zip_with(pl.Series(~missing), _NOTHING) if missing.any() else values).alias(name)
        )
    return pl.DataFrame(found)


def _endless(text: Text) -> str:
    return f"{text.name} has a line longer than {BLOCK >> 20} MB; check its quotes and line ends"


def _unreadable(text: Text, why: str) -> str:
    return f"cannot read {text.name}: {why}; save it as CSV in UTF-8 with one header line"
