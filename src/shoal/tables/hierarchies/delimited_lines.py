"""A separated file as records that know their line, whatever the separator and the encoding.

Unlike the standard reader it tells an empty field (the missing value) from a quoted empty one (an empty
text), as Polars does in tables.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.hierarchy import Label

SEPARATORS = (";", "\t", ",")
_QUOTED = re.compile(r'"[^"]*"')
_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Record:
    """The fields of one record, and the line it starts on."""

    line: int
    fields: tuple[Label, ...]


def text_of(path: Path) -> str:
    """The text of a file: UTF-8 or UTF-16 with a mark, or else the Windows code page that Excel writes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadHierarchy(f"cannot read the hierarchy file '{path}': {error.strerror}") from error
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def records_of(path: Path) -> list[Record]:
    """All records of a separated file that are not blank; an empty file is refused."""
    text = text_of(path)
    records = [
        record for record in _records(text, _separator(text), path) if record.fields not in ((), (None,))
    ]
    if not records:
        raise BadHierarchy(f"the hierarchy file '{path}' is empty; give one line per value")
    return records


def write_records(path: Path, records: Iterable[Iterable[Label]]) -> None:
    """Write beside the target and rename, so that a crash leaves no half file."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.writelines(";".join(map(_quote, record)) + "\n" for record in records)
        beside.replace(path)
    except OSError as error:
        raise BadHierarchy(f"cannot write the hierarchy file '{path}': {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def _quote(value: Label) -> str:
    if value is None:
        return ""
    if value and not re.search(r'[;,\t"\r\n\ufeff]', value):
        return value
    return '"' + value.replace('"', '""') + '"'


def _separator(text: str) -> str:
    """The first that most lines have outside quotes: a comma inside `[20, 30)` is none in a file with `;`."""
    lines = [line for line in _BREAK.split(_QUOTED.sub("", text)) if line]
    for separator in SEPARATORS:
        if 2 * sum(separator in line for line in lines) > len(lines):
            return separator
    return SEPARATORS[0]


@cache
def _field(separator: str) -> re.Pattern[str]:
    plain = rf'[^"{separator}\r\n][^{separator}\r\n]*'
    return re.compile(rf'(?:"((?:[^"]|"")*)"|({plain})|)({separator}|\r\n|\n|\r|\Z)')


def _records(text: str, separator: str, path: Path) -> Iterator[Record]:
    match = _field(separator).match
    position, line, start = 0, 1, 1
    fields: list[Label] = []
    while position < len(text) or fields:
        found = match(text, position)
        if not found:
            raise BadHierarchy(
                f"line {line} of '{path}' has a quote that does not end at a separator; "
                'write a quote inside a field as "" and the field in quotes'
            )
        quoted, plain, end = found.groups()
        fields.append(plain if quoted is None else quoted.replace('""', '"'))
        if quoted:
            line += len(_BREAK.findall(quoted))
        position = found.end()
        if end != separator:
            yield Record(start, tuple(fields))
            fields, line = [], line + 1
            start = line
