"""What a text table does not say about itself: its encoding, its separator, and where it is broken.

Encoding: a byte-order mark decides; else UTF-8; else Windows-1252, if the text then holds no control
character and the file is not UTF-8 with a few damaged bytes. Separator: the one of , ; tab | that cuts the
header and the first lines into the same number of fields, quoted values aside.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.frames import check_names, quote_value
from shoal.engines.header import check_header, unique_names, with_row_numbers

SEPARATORS = ",;\t|"
CHUNK = 4 << 20
HEAD = 1 << 20
LONGEST = 8 << 20
SAMPLE_LINES = 100
TOP = 64 << 10  # characters that hold them in most tables

_MARKS = {  # UTF-32 first: its mark begins with the one of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8",
}
_UNDEFINED_IN_WINDOWS = b"\x81\x8d\x8f\x90\x9d"
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\r"))
_WINDOWS_TEXT = bytes(set(range(256)) - set(_CONTROL) - set(_UNDEFINED_IN_WINDOWS))
_QUOTED = re.compile(rf'(?:^|(?<=[{SEPARATORS}]))"(?:[^"]|"")*"', re.MULTILINE)


class NotUtf8(Exception):
    """The bytes are not UTF-8: time to guess again."""


@dataclass(frozen=True)
class Text:
    """Bytes of a text table, on disk or in memory, and the name that messages use."""

    name: str
    content: Path | bytes

    def open(self) -> BinaryIO:
        """The bytes from the start."""
        return io.BytesIO(self.content) if isinstance(self.content, bytes) else self.content.open("rb")

    def chunks(self) -> Iterator[bytes]:
        """The bytes, a few megabytes at a time."""
        with self.open() as stream:
            while chunk := stream.read(CHUNK):
                yield chunk

    def ends_with(self, tail: bytes) -> bool:
        """Whether the last bytes are these."""
        with self.open() as stream:
            stream.seek(max(0, stream.seek(0, io.SEEK_END) - len(tail)))
            return stream.read() == tail


@dataclass(frozen=True)
class Layout:
    """How the header reads: the column names, the separator, and the blank lines above it."""

    names: list[str]
    separator: str
    blank_lines: int
    renamed: bool = False  # the names are not those of the file


def check_encoding(encoding: str) -> str:
    """The encoding under the name that Python gives it."""
    try:
        "".encode(encoding)  # a codec such as hex is there, but not for text
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        raise BadParameter(
            f"no encoding {quote_value(encoding)}; try utf-8, windows-1252 or utf-16"
        ) from None


def encoding_by_mark(text: Text) -> str | None:
    """The encoding that a byte-order mark declares."""
    with text.open() as stream:
        start = stream.read(4)
    return next((encoding for mark, encoding in _MARKS.items() if start.startswith(mark)), None)


def to_utf8(text: Text, encoding: str) -> Text:
    """The same text in UTF-8, or a refusal that names the first byte which does not fit."""
    decoder = codecs.getincrementaldecoder(encoding)()
    converted, line = io.BytesIO(), 1
    try:
        for chunk in text.chunks():
            part = decoder.decode(chunk)
            line += part.count("\n")
            converted.write(part.encode("utf-8"))
        converted.write(decoder.decode(b"", final=True).encode("utf-8"))
    except UnicodeDecodeError as error:
        line += error.object[: error.start].decode(encoding, "ignore").count("\n")
        raise BadTable(
            f"{text.name} has byte 0x{error.object[error.start]:02X} on line {line}, which is not {encoding};"
            " save the file as UTF-8 or pass its true --encoding"
        ) from None
    except UnicodeError as error:
        raise BadTable(
            f"{text.name} is not {encoding}; save the file as UTF-8 or pass its true --encoding"
        ) from error
    return Text(text.name, converted.getvalue())


def from_windows(text: Text) -> Text:
    """The same text in UTF-8 when Windows-1252 explains every byte, or a refusal that names one."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    multibyte = damaged = 0
    for chunk in text.chunks():
        part = decoder.decode(chunk)
        replaced = part.count("\ufffd")
        damaged += replaced
        multibyte += len(part) - len(part.encode("ascii", "ignore")) - replaced
    strange = _first_byte(text, _WINDOWS_TEXT)
    if strange is not None:
        raise BadTable(
            f"{text.name} has {strange}, which is neither UTF-8 nor Windows-1252 text;"
            " save the file as UTF-8 or pass --encoding"
        )
    # Windows-1252 decodes nearly anything. Where most accents are sound UTF-8, reading the whole file as
    # Windows-1252 would garble each of them to save a few broken bytes.
    if multibyte > damaged:
        return to_utf8(text, "utf-8")
    return to_utf8(text, "windows-1252")


def has_quotes(text: Text) -> bool:
    """Whether a quote occurs anywhere; a zero byte means that this is no text, and is refused."""
    found = False
    for chunk in text.chunks():
        if b"\0" in chunk:
            strange = _first_byte(text, bytes(range(1, 256)))
            raise BadTable(
                f"{text.name} is not a text table: it has {strange};"
                " give CSV, TSV, Parquet or Arrow with the matching extension, save it as UTF-8,"
                " or pass --encoding utf-16"
            )
        found = found or b'"' in chunk
    return found


def check_separator(separator: str) -> str:
    """One separator character; the two characters \\t mean a tab, as a shell hands them over."""
    if separator == "\\t":
        return "\t"
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise BadParameter(
            rf"separator {quote_value(separator)} is not one plain character; give one of , ; | or \t"
        )
    return separator


def layout(text: Text, separator: str | None, fallback: str, guess: bool = True) -> Layout:
    """Read the header, with the separator given or detected; without a `guess` by the header alone."""
    with text.open() as stream:
        start = stream.read(HEAD)
    try:
        # A head that stops inside a character is no fault of the file.
        head = codecs.getincrementaldecoder("utf-8-sig")().decode(start, final=len(start) < HEAD)
    except UnicodeDecodeError:
        raise NotUtf8 from None
    if not head.strip("\r\n"):
        raise BadTable(f"{text.name} is empty; give a file with a header line and rows")
    chosen = separator or _separator(head, len(start) == HEAD, guess) or fallback
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=chosen)
    blank_lines = 0
    try:
        for names in reader:
            if names:
                rows = _sample(reader)
                once = unique_names(with_row_numbers(names, rows, text.name), text.name)
                check_names(once, text.name)
                check_header(once, rows, text.name)
                return Layout(once, chosen, blank_lines, once != names)
            blank_lines = reader.line_num
    except csv.Error as error:
        raise BadTable(f"{text.name} has an unreadable header: {error}; check its quotes") from error
    raise BadTable(f"{text.name} is empty; give a file with a header line and rows")


def _sample(reader: Iterator[list[str]]) -> list[list[str]]:
    """Some rows below the header; a broken one ends them, and is complained of elsewhere."""
    rows: list[list[str]] = []
    try:
        for row in islice(reader, SAMPLE_LINES):
            rows.append(row)
    except csv.Error:
        pass
    return rows


def complaint(text: Text, layout: Layout, open_at_end: bool = False) -> str | None:
    """The sentence about the first broken record, or None when every record fits.

    With open_at_end the last record is known to end inside a quote.
    """
    expected, begun = len(layout.names), 1
    limit = csv.field_size_limit()
    csv.field_size_limit(max(limit, LONGEST))
    with io.TextIOWrapper(text.open(), encoding="utf-8-sig", errors="replace", newline="") as lines:
        reader = csv.reader(lines, delimiter=layout.separator)
        line = 1
        try:
            for record in reader:
                several_lines, after = reader.line_num > line, reader.line_num + 1
                if record and len(record) != expected:
                    if several_lines and next(reader, None) is None:
                        return _unclosed(text, line)
                    return (
                        f"{text.name} has {_fields(len(record))} on line {line}, but the header has"
                        f" {expected}; repair the line,"
                        f" or quote values that contain {_spoken(layout.separator)}"
                    )
                if record:
                    begun = line
                line = after
        except csv.Error:
            return _unclosed(text, line) if reader.line_num > line else None
        finally:
            csv.field_size_limit(limit)
    return _unclosed(text, begun) if open_at_end else None


def _unclosed(text: Text, line: int) -> str:
    return (
        f"{text.name} opens a quote on line {line} that is never closed;"
        ' close it, or write a literal quote as ""'
    )


def _separator(head: str, cut: bool, guess: bool) -> str | None:
    # Most tables need no look at quotes, which takes long: the lines that count are near the top.
    sample = [] if '"' in head[:TOP] else _lines(head[:TOP], True)
    if len(sample) < SAMPLE_LINES:
        sample = _lines(head, cut)
    if not sample:
        return None
    in_header = {candidate: sample[0].count(candidate) for candidate in SEPARATORS}
    candidates = [candidate for candidate in SEPARATORS if in_header[candidate]]
    lines = sample if guess else sample[:1]
    even = [
        candidate
        for candidate in candidates
        if all(line.count(candidate) == in_header[candidate] for line in lines)
    ]
    return max(even or candidates, key=lambda candidate: in_header[candidate], default=None)


def _lines(head: str, cut: bool) -> list[str]:
    """The first lines that are not blank, without quoted values; the last may be `cut` off."""
    lines = _QUOTED.sub("", head.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return [line for line in (lines[:-1] if cut else lines) if line][:SAMPLE_LINES]


def _first_byte(text: Text, allowed: bytes) -> str | None:
    line = 1
    for chunk in text.chunks():
        strange = chunk.translate(None, allowed)
        if strange:
            line += chunk.count(b"\n", 0, chunk.index(strange[:1]))
            return f"byte 0x{strange[0]:02X} on line {line}"
        line += chunk.count(b"\n")
    return None


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


def _spoken(separator: str) -> str:
    return "a tab" if separator == "\t" else f"'{separator}'"
