"""Text tables: every value stays the text it is in the file, so that 02138 stays 02138.

An empty field is a missing value, a quoted empty field is an empty text. A blank line is skipped, except in
a table of one column, where it is a missing value. A line with too few or too many fields is refused, never
filled up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from shoal.core.errors import BadTable
from shoal.engines import sniff
from shoal.engines.frames import check_present, reason
from shoal.engines.sniff import Layout, NotUtf8, Text

# The longest possible record: large enough for few chunks, small enough for the cores to share a file.
BLOCK = sniff.LONGEST


def read_text(
    text: Text,
    separator: str | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    fallback: str = ",",
) -> pl.DataFrame:
    """The table in a text; separator and encoding are detected when they are not given."""
    if separator is not None:
        separator = sniff.checked_separator(separator)
    known = sniff.checked_encoding(encoding) if encoding else sniff.marked_encoding(text)
    if known is not None and known != "utf-8":
        text = sniff.transcoded(text, known)
    try:
        return _parsed(text, separator, columns, fallback)
    except NotUtf8:
        text = sniff.transcoded(text, known) if known else sniff.from_windows(text)
        return _parsed(text, separator, columns, fallback)


def _parsed(text: Text, separator: str | None, columns: Sequence[str] | None, fallback: str) -> pl.DataFrame:
    quotes = sniff.has_quotes(text)
    layout = sniff.layout(text, separator, fallback)
    wanted = layout.names if columns is None else list(dict.fromkeys(columns))
    check_present(wanted, layout.names)
    # The last column tells whether the file ends inside a quote.
    read = [*wanted, layout.names[-1]] if quotes and layout.names[-1] not in wanted else wanted
    table = _arrow_table(text, layout, read, quotes)
    if quotes and _ends_inside_quote(text, layout, table):
        raise BadTable(sniff.complaint(text, layout, open_at_end=True))
    frame = pl.from_arrow(table, rechunk=False)
    assert isinstance(frame, pl.DataFrame)
    return frame if read is wanted else frame.select(wanted)


def _arrow_table(text: Text, layout: Layout, columns: list[str], quotes: bool) -> Any:
    import pyarrow
    from pyarrow import csv

    content = text.content
    stream = pyarrow.BufferReader(content) if isinstance(content, bytes) else pyarrow.OSFile(str(content))
    try:
        return csv.read_csv(
            stream,
            read_options=csv.ReadOptions(
                block_size=BLOCK,
                skip_rows=layout.blank_lines,
                column_names=layout.names if layout.renamed else None,
                skip_rows_after_names=1 if layout.renamed else 0,
            ),
            parse_options=csv.ParseOptions(
                delimiter=layout.separator,
                newlines_in_values=quotes,
                ignore_empty_lines=len(layout.names) > 1,
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: pyarrow.string() for name in layout.names},
                include_columns=columns,
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except pyarrow.ArrowInvalid as error:
        if "invalid UTF8" in str(error):
            raise NotUtf8 from None
        sentence = sniff.complaint(text, layout)
        if sentence is None and "straddling" in str(error):
            sentence = f"{text.name} has a line longer than {BLOCK >> 20} MB; check its quotes and line ends"
        raise BadTable(sentence or _unreadable(text, error)) from error
    except (pyarrow.ArrowException, KeyError, OSError) as error:
        raise BadTable(_unreadable(text, error)) from error
    finally:
        stream.close()


def _ends_inside_quote(text: Text, layout: Layout, table: Any) -> bool:
    """Whether the last quote is still open: Arrow takes the end of the file for its end."""
    if not table.num_rows:
        return False
    value = table.column(layout.names[-1])[-1].as_py()
    if value is None:
        return False
    open_quote = '"' + value.replace('"', '""')
    before = (layout.separator,) if len(layout.names) > 1 else ("\n", "\r")
    # A line end as a value looks the same whether its quote opens or closes; then only counting tells.
    return any(text.ends_with((mark + open_quote).encode("utf-8")) for mark in before) and text.odd_quotes()


def _unreadable(text: Text, error: BaseException) -> str:
    return f"cannot read {text.name}: {reason(error)}; save it as CSV in UTF-8 with one header line"
