"""Lists of people that attackers may have, uploaded for one table and kept in its folder.

A name that comes from a browser is looked up among those that are there; it never becomes part of a path.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from shoal.core.errors import BadParameter
from shoal.faces.studio.project import HIDDEN, TableFolder, safe_name


def lists_of(table: TableFolder) -> dict[str, Path]:
    """The lists of a table by name."""
    folder = table.folder / HIDDEN / "lists"
    if not folder.is_dir():
        return {}
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink()}


def add_list(table: TableFolder, name: str, arrived: Path) -> str:
    """Keep a list that was uploaded; one with the same name is replaced."""
    folder = table.folder / HIDDEN / "lists"
    folder.mkdir(parents=True, exist_ok=True)
    kept = safe_name(name)
    shutil.move(arrived, folder / kept)
    return kept


def find_list(table: TableFolder, name: str) -> Path:
    """A list by its name."""
    found = lists_of(table).get(name)
    if found is None:
        raise BadParameter(f"there is no list '{name}'; it may have been removed")
    return found


def list_mark(table: TableFolder, name: str) -> str:
    """A list by what tells it from an earlier one of the same name, whose findings are not its own."""
    told = find_list(table, name).stat()
    return f"{name} {told.st_size} {told.st_mtime_ns}"
