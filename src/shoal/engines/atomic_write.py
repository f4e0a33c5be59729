"""Files that are whole or not there: written beside the target, flushed to disk, then renamed."""

from __future__ import annotations

import gzip
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

import polars as pl

from shoal.core.cache import remembered
from shoal.core.errors import BadParameter, BadTable, ShoalError
from shoal.engines.address import without_secrets
from shoal.engines.frames import compact, plain, quote_value, reason
from shoal.engines.sniff import SEPARATORS, check_separator

TEXT = ("", ".csv", ".tsv", ".txt")
ARROW = (".arrow", ".feather", ".ipc")
PARQUET = (".parquet",)


def write_frame(frame: pl.DataFrame, target: str | Path, separator: str | None = None) -> None:
    """Write a frame in the format of the target's extension; `-` is standard output, as CSV.

    In text a missing value is an empty field and an empty text is "", as `read_frame` reads them.
    The separator is a comma, for .tsv a tab.
    """
    kind, packed = file_kind(target)
    if kind not in (*TEXT, *ARROW, *PARQUET) or (packed and kind not in TEXT):
        raise BadParameter(
            f"cannot write {quote_value(target)}: unknown extension; use .csv, .tsv, .txt, .parquet or .arrow"
        )
    frame = plain(frame, "the table")
    mark = check_separator(separator) if separator is not None else "\t" if kind == ".tsv" else ","
    with write_in_place_of(target) as stream:
        if kind in PARQUET:
            frame.write_parquet(stream)
        elif kind in ARROW:
            compact(frame).write_ipc(stream)
        elif packed:
            # No time stamp: the same table gives the same bytes.
            with gzip.GzipFile(filename="", fileobj=stream, mode="wb", compresslevel=6, mtime=0) as zipped:
                _write_csv(frame, cast(IO[bytes], zipped), mark)
        else:
            _write_csv(frame, stream, mark)


def write_text(text: str, target: str | Path) -> None:
    """Write text as UTF-8; `-` is standard output."""
    with write_in_place_of(target) as stream:
        stream.write(text.encode("utf-8"))


def fingerprint(path: str | Path) -> str:
    """The SHA-256 of a file's bytes, as `sha256:…`."""
    return _hash(str(path))


@remembered  # a report asks for it three times, and all that it tells is about one state of the file
def _hash(path: str) -> str:
    try:
        with Path(path).open("rb") as stream:
            return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
    except OSError as error:
        raise BadTable(f"cannot read {quote_value(path)}: {_cause(error)}; check the path") from error


def file_kind(path: str | Path) -> tuple[str, bool]:
    """The extension in small letters, and whether the file is packed with gzip around it."""
    if str(path) == "-":
        return "", False
    suffix = Path(path).suffix.lower()
    return (Path(path).with_suffix("").suffix.lower(), True) if suffix == ".gz" else (suffix, False)


def check_place(output: str | Path, taken: Iterable[Any]) -> None:
    """Refuse a name under which nothing can or must be written, before any work is done.

    `taken` are the files that the same request reads or writes.
    """
    if str(output) == "-":
        return
    path = Path(output)
    try:
        if not str(output):
            raise BadParameter("the name of the file to write is empty; give one such as out.csv")
        _check_folder(path, output)
        if path.exists() and not path.is_file():
            # A device cannot be read back, and renaming a file over it would destroy it.
            raise BadParameter(f"'{output}' is a device, not a file; -o - writes to standard output")
        for other in map(Path, (one for one in taken if isinstance(one, str | Path))):
            both = path.exists() and other.exists()
            if path.resolve() == other.resolve() or (both and path.samefile(other)):
                raise BadParameter(
                    f"'{output}' is one of the other files of this request; choose another name"
                )
    except OSError as error:
        raise BadParameter(f"cannot write '{output}': {error.strerror}; choose another name") from error


@contextmanager
def both_or_none(output: str | Path, record: Path) -> Iterator[tuple[Path, Path]]:
    """Two files, each beside its place; they get their names when nothing failed, and are gone otherwise."""
    place = Path(output).resolve()  # a link keeps pointing where it points
    mark = f".shoal-{secrets.token_hex(6)}"
    trial = place.with_name(f"{mark}{''.join(place.suffixes[-2:])}")
    trial_record = record.resolve().with_name(f"{mark}.json")
    try:
        yield trial, trial_record
        if place.exists():
            trial.chmod(stat.S_IMODE(place.stat().st_mode))
        # Both are on disk; what is left are two renames, which need no space.
        trial_record.replace(record)
        trial.replace(place)
    except OSError as error:
        raise BadParameter(f"cannot write '{output}': {error.strerror}; choose another name") from error
    finally:
        trial.unlink(missing_ok=True)
        trial_record.unlink(missing_ok=True)


@contextmanager
def write_in_place_of(target: str | Path) -> Iterator[BinaryIO]:
    """A stream whose bytes appear under the target's name all at once, or not at all."""
    try:
        if str(target) == "-":
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
            return
        # A link keeps pointing where it points: the file behind it is replaced.
        path = Path(os.path.realpath(target))
        _check_folder(path, target)
        if path.exists() and not path.is_file():
            # A device or pipe such as /dev/stdout has no contents to protect, and must not be renamed away.
            with path.open("wb") as stream:
                yield stream
            return
        with _beside(path) as stream:
            yield stream
    except ShoalError:
        raise
    except OSError as error:
        raise BadParameter(
            f"cannot write {quote_value(target)}: {_cause(error)}; choose another place or free some space"
        ) from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise BadTable(
            f"cannot write {quote_value(target)}: {reason(error)}; try another file format"
        ) from error


@contextmanager
def _beside(path: Path) -> Iterator[BinaryIO]:
    temporary = path.with_name(f".shoal-{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            temporary.chmod(stat.S_IMODE(path.stat().st_mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    # Without this a power cut may forget the rename. Where it is not supported the file itself is safe.
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _check_folder(path: Path, target: str | Path) -> None:
    if path.is_dir():
        raise BadParameter(f"{quote_value(target)} is a folder; give the name of a file to write")
    if not path.parent.is_dir():
        raise BadParameter(
            f"cannot write {quote_value(without_secrets(str(target)))}: no folder "
            f"{quote_value(without_secrets(str(path.parent)))}; create it or choose another"
        )


def _write_csv(frame: pl.DataFrame, stream: IO[bytes], separator: str) -> None:
    header = separator.join(_quote_name(name, separator) for name in frame.columns)
    stream.write(f"{header}\n".encode())
    stream.flush()
    if frame.width == 1:
        lone = frame.select(_quote_values(frame.columns[0], separator))
        lone.write_csv(stream, include_header=False, separator=separator, quote_style="never")
    else:
        # Polars writes a missing value as nothing and an empty text as "".
        frame.write_csv(stream, include_header=False, separator=separator, quote_style="necessary")


def _quote_name(name: str, separator: str) -> str:
    # Every separator that reading may try is quoted, so that the header alone decides which one it is.
    special = any(mark in name for mark in f'{SEPARATORS}{separator}"\r\n\ufeff')
    return '"' + name.replace('"', '""') + '"' if special else name


def _quote_values(column: str, separator: str) -> pl.Expr:
    """The values of a lone column, where no separator in the header tells which one is in use."""
    text = pl.col(column).cast(pl.String)
    special = text.str.contains_any([*SEPARATORS, separator, '"', "\r", "\n"]) | (text == "")
    quoted = pl.format('"{}"', text.str.replace_all('"', '""', literal=True))
    return pl.when(special).then(quoted).otherwise(text).alias(column)


def _cause(error: OSError) -> str:
    return reason(OSError(error.strerror)) if error.strerror else reason(error)


def has_changed(data: Any, output: str | None) -> bool:
    """Whether a file is another than the one whose fingerprint its record has."""
    return isinstance(data, str | Path) and output is not None and fingerprint(data) != output
