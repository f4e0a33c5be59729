"""What flags and project files list in few words: columns, files, what is known, numbers to try, weights."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter

Columns = tuple[str, ...]

# A name with a comma, or with a space at an end, stands in double quotes: zip,"city, state".
NAME = r'\s*(?:"((?:[^"]|"")*)"|([^{end}]*?))\s*'
_LISTED = re.compile(f"{NAME.format(end=',')}(?:,|$)")


def columns_of(value: object) -> Columns:
    """Column names from `a,b`, a list, or nothing."""
    if value is None:
        return ()
    if isinstance(value, str):
        found = (name_in(piece) for piece in _LISTED.finditer(value))
        return tuple(name for name in found if name)
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise BadParameter(f"column names are text such as zip,age, not {value!r}")


def name_in(found: re.Match[str]) -> str:
    """The column name that `NAME` found, without its quotes."""
    return found[2] if found[1] is None else found[1].replace('""', '"')


def listed(columns: Iterable[str]) -> str:
    """Column names as `columns_of` reads them."""
    return ",".join(
        name if re.fullmatch(r'[^\s",]([^",]*[^\s",])?', name) else _quoted(name) for name in columns
    )


def pairs_in(text: str) -> dict[str, str]:
    """What is known of one person, from `name=Bob,zip=47678`."""
    pairs: dict[str, str] = {}
    for piece in next(csv.reader([text], skipinitialspace=True), []):
        name, equals, value = piece.partition("=")
        if not equals or not name.strip():
            raise BadParameter(f"--target takes what is known of a person, as zip=47678,age=27, not '{text}'")
        pairs[name.strip()] = value.strip()
    return pairs


def path_in(spec: object) -> str | None:
    """The file that a hierarchy's specification reads: `FILE.csv`, or the one in `parents(file=FILE)`."""
    if isinstance(spec, Path):
        return str(spec)
    if not isinstance(spec, str):
        return None
    if spec.lower().endswith((".csv", ".tsv", ".txt", ".json")):
        return spec
    found = re.search(r"\bfile\s*=\s*([^,)]+)", spec)
    return found[1].strip() if found else None


def declares(spec: object) -> bool:
    """Whether a hierarchy's specification says by itself what values there are, without looking at the data.

    A file of parents does not: a group becomes a leaf as well when somebody has it as a value.
    """
    if isinstance(spec, str):
        return path_in(spec) == spec
    return spec is not None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def numbers_in(value: object, name: str, kind: type[int] | type[float]) -> tuple[Any, ...]:
    """Numbers to try, from `2,5,10`, one number, or a list; each only once."""
    if value is None:
        return ()
    pieces = value.split(",") if isinstance(value, str) else value
    several = pieces if isinstance(pieces, list | tuple) else [pieces]
    found = []
    for piece in several:
        try:
            whole = kind is int and isinstance(piece, float)
            if isinstance(piece, bool) or whole or not isinstance(piece, str | int | float):
                raise ValueError
            found.append(kind(piece))
        except ValueError:
            wanted = "whole numbers such as 2,5,10" if kind is int else "shares such as 0,0.05"
            raise BadParameter(f"--{name} takes {wanted}, not {piece!r}") from None
    return tuple(dict.fromkeys(found))


def weights_in(value: object) -> dict[str, float]:
    """Weights of columns from a mapping, or from texts such as `age=2`."""
    given = [value] if isinstance(value, str) else value
    if isinstance(given, list | tuple):
        split = [str(text).rpartition("=") for text in given]
        given = {name.strip().strip('"'): weight for name, _, weight in split}
    if not isinstance(given, Mapping):
        raise BadParameter(f"--weight takes COLUMN=NUMBER, as in age=2, not {value!r}")
    found = {}
    for column, weight in given.items():
        try:
            found[str(column)] = float(weight)
            if not column or not 0 <= float(weight) < math.inf:
                raise ValueError
        except (TypeError, ValueError):
            said = f"{column}={weight}" if column else f"{weight}"
            raise BadParameter(f"--weight takes COLUMN=NUMBER from 0 on, as in age=2, not {said!r}") from None
    return found
