"""Data on this machine: files in and out, Polars frames in between."""

from __future__ import annotations

import gzip
import io
import logging
import re
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.errors import BadTable, ShoalError
from shoal.core.extras import require
from shoal.engines.address import address_of
from shoal.engines.atomic_write import ARROW, PARQUET, file_kind, fingerprint, write_frame, write_text
from shoal.engines.excel import WORKBOOKS, read_workbook, unpacked_size
from shoal.engines.frames import FAILURES, check_names, check_present, plain, quote_value, reason, to_frame
from shoal.engines.sniff import CHUNK, Text
from shoal.engines.text_tables import read_text

__all__ = ["fingerprint", "read_frame", "to_frame", "write_frame", "write_text"]

LOG = logging.getLogger("shoal")

# A small file must not fill the memory: gzip packs zeros a thousandfold, tables of people some tenfold.
SWELLING = 100
LARGE = 256 << 20  # bytes that any file may unpack to
_URL = re.compile(r"([a-z][a-z0-9+.:-]+):/+", re.IGNORECASE)  # a Path has lost one of the slashes


def read_frame(
    source: str | Path,
    separator: str | None = None,
    encoding: str | None = None,
    columns: Sequence[str] | None = None,
    private: bool = False,
) -> pl.DataFrame:
    """The table in a file, by its extension: Parquet, Arrow, a workbook, or else text; `-` is standard input.

    Text and workbooks come as text throughout (see `shoal.engines.text_tables`); Parquet and Arrow keep their
    types. With `private` no cell decides how others are read: noise is made for one person's rows.
    """
    name = "standard input" if str(source) == "-" else quote_value(source)
    try:
        content = content_of(source)
        kind, packed = file_kind(source)
        if kind in (*PARQUET, *ARROW) and not packed:
            frame = _read_binary(content, kind, columns, name)
        elif kind in WORKBOOKS and not packed:
            _refuse_swollen(unpacked_size(content), _most(content), name)
            frame = read_workbook(content, columns, name, private)
        else:
            text = Text(name, gunzip(content, name) if packed else content)
            usual = "\t" if kind == ".tsv" else ","
            frame = read_text(text, separator, encoding, columns, usual, guess=not private)
    except ShoalError:
        raise
    except FAILURES as error:
        raise BadTable(f"cannot read {name}: {reason(error)}; check that the file is whole") from error
    if not frame.height:
        raise BadTable(f"{name} has a header but no rows; give a file with at least one row")
    LOG.info("read %s: %s rows, %s columns", name, f"{frame.height:,}", frame.width)
    return plain(frame, name)


def content_of(source: str | Path) -> Path | bytes:
    """The bytes of a file: one on disk stays there; what can be read only once is read now."""
    if str(source) == "-":
        return sys.stdin.buffer.read()
    if (place := address_of(source)) is not None:
        raise BadTable(
            f"{quote_value(place)} is a folder or a table in an engine, and this needs the rows of one file; "
            "give a file, or export it to one"
        )
    path = Path(source)
    try:
        if not path.exists():
            if url := _URL.match(str(source)):
                # Nothing else of it is shown: there may be a password in it.
                raise BadTable(
                    f"no table can be read at {url[1]}://; a URL begins with duckdb://, postgresql:// or spark://"
                )
            raise BadTable(
                f"no file {quote_value(source)} in {quote_value(path.absolute().parent)}; check the "
                "name and the folder"
            )
        if not path.is_file():
            return path.read_bytes()
        with path.open("rb"):
            return path
    except PermissionError:
        raise BadTable(
            f"no permission to read {quote_value(source)}; ask its owner or run chmod u+r on it"
        ) from None


def gunzip(content: Path | bytes, name: str) -> bytes:
    """What gzip packed, as far as it does not swell beyond what packed tables do."""
    most, parts, length = _most(content), list[bytes](), 0
    try:
        with gzip.open(io.BytesIO(content) if isinstance(content, bytes) else content) as stream:
            while part := stream.read(CHUNK):
                length += len(part)
                _refuse_swollen(length, most, name)
                parts.append(part)
        return b"".join(parts)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadTable(f"{name} is not a whole gzip file: {reason(error)}; pack it again") from error


def _read_binary(content: Path | bytes, kind: str, columns: Sequence[str] | None, name: str) -> pl.DataFrame:
    """Parquet and Arrow through PyArrow: a damaged file makes Polars' own reader abort the whole process."""
    require("arrow", f"reading {name}", "give CSV")
    import pyarrow

    with _open(content) as stream:
        table = _parquet(stream, columns, _most(content), name) if kind in PARQUET else _arrow(stream)
    check_names(table.column_names, name)
    if columns is not None:
        check_present(columns, table.column_names)
        table = table.select(list(dict.fromkeys(columns)))
    # Polars trusts offsets, text and notes on the columns as they come: check the first two, leave the last.
    table.validate(full=True)
    bare = pyarrow.Table.from_arrays(table.columns, names=table.column_names)
    frame = pl.from_arrow(bare, rechunk=False)
    assert isinstance(frame, pl.DataFrame)
    return frame


def _most(content: Path | bytes) -> int:
    """The bytes that a packed file may unpack to."""
    packed = len(content) if isinstance(content, bytes) else content.stat().st_size
    return max(LARGE, SWELLING * packed)


def _refuse_swollen(length: int, most: int, name: str) -> None:
    if length > most:
        raise BadTable(
            f"{name} unpacks to more than {most >> 20:,} MB, which is far more than packed tables do; "
            "if you trust it, unpack it and give the unpacked file"
        )


def _parquet(stream: Any, columns: Sequence[str] | None, most: int, name: str) -> Any:
    from pyarrow import parquet

    file = parquet.ParquetFile(stream)
    groups = range(file.metadata.num_row_groups)
    _refuse_swollen(sum(file.metadata.row_group(place).total_byte_size for place in groups), most, name)
    if columns is not None:
        check_present(columns, file.schema_arrow.names)
    return file.read(columns=None if columns is None else list(columns))


def _arrow(stream: Any) -> Any:
    from pyarrow import ArrowInvalid, ipc

    try:
        return ipc.open_file(stream).read_all()
    except ArrowInvalid:
        # The same extensions are in use for Arrow's stream format.
        stream.seek(0)
        return ipc.open_stream(stream).read_all()


def _open(content: Path | bytes) -> Any:
    import pyarrow

    return pyarrow.BufferReader(content) if isinstance(content, bytes) else pyarrow.OSFile(str(content))
