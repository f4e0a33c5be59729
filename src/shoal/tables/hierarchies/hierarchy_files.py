"""Hierarchies in files: one line per leaf as ARX writes them, a nested mapping, or child and parent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.delimited_lines import Record, records_of, text_of, write_records
from shoal.tables.hierarchies.hierarchy import Hierarchy, Label
from shoal.tables.hierarchies.taxonomy import from_nested, from_parents


def read_hierarchy(path: str | Path) -> Hierarchy:
    """A leaf file: one line per value, from the value itself to the top, no header; or a nested `.json`.

    The separator is `;`, `,` or a tab; an empty first field is the missing value.
    """
    path = Path(path)
    if path.suffix.lower() == ".json":
        return _read_nested(path)
    records = records_of(path)
    _refuse_ragged(records, len(records[0].fields), path)
    levels = list(zip(*(record.fields for record in records), strict=True))
    return Hierarchy.of_levels(levels, [record.line for record in records])


def read_parents(path: str | Path, values: Iterable[Label] = ()) -> Hierarchy:
    """A file of child and parent per line; see `from_parents` for `values`."""
    path = Path(path)
    records = records_of(path)
    _refuse_ragged(records, 2, path)
    if [str(name).lower() for name in records[0].fields] == ["child", "parent"]:  # a header, not a family
        del records[0]
    pairs = [(record.fields[0], record.fields[1]) for record in records]
    return from_parents(pairs, [record.line for record in records], values)


def write_hierarchy(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write a leaf file that `read_hierarchy`, and ARX, read back as the same hierarchy."""
    write_records(Path(path), zip(*hierarchy.levels(), strict=True))


def _refuse_ragged(records: list[Record], width: int, path: Path) -> None:
    for record in records:
        if len(record.fields) != width:
            raise BadHierarchy(
                f"line {record.line} of '{path}' ({record.fields[0]!r}) has {len(record.fields)} fields "
                f"instead of {width}; give every line the same number of fields"
            )


def _read_nested(path: Path) -> Hierarchy:
    try:
        nested = json.loads(text_of(path), object_pairs_hook=_group)
    except json.JSONDecodeError as error:
        raise BadHierarchy(f"line {error.lineno} of '{path}' is not JSON: {error.msg}") from error
    except RecursionError as error:
        raise BadHierarchy(f"the hierarchy file '{path}' is nested too deeply; use fewer groups") from error
    return from_nested(nested)


def _group(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    group = dict(pairs)
    if len(group) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadHierarchy(
            f"the group {twice!r} stands twice in the nested hierarchy; put its values together"
        )
    return group
