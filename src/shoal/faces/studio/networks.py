"""The networks of a project: a folder each, with the file, the newest release and what was found about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.faces.studio.history import read_json, write_json
from shoal.faces.studio.project import HIDDEN, Project, safe_name

KINDS = (".csv", ".tsv", ".txt", ".edges", ".parquet", ".graphml", ".gml", ".csv.gz", ".txt.gz")
MARK = "network.json"


class NetworkFolder:
    """One network of a project, and its newest release."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, folder.name
        self.file = folder / safe_name(read_json(folder / HIDDEN / MARK)["file"], KINDS)
        self.release = folder / "release.csv"
        self.manifest = folder / "release.csv.shoal.json"
        self.mapping = folder / "who-is-who.csv"
        self.report = folder / "report.html"

    def recall(self, what: str) -> Any:
        """What was kept about it under a name, or nothing."""
        return read_json(self.folder / HIDDEN / f"{what}.json")

    def keep(self, what: str, told: Any) -> None:
        write_json(self.folder / HIDDEN / f"{what}.json", told)

    def forget(self, *several: str) -> None:
        for what in several:
            (self.folder / HIDDEN / f"{what}.json").unlink(missing_ok=True)


def networks(project: Project) -> dict[str, NetworkFolder]:
    """The networks of a project by name."""
    return {
        path.name: NetworkFolder(path)
        for path in sorted(project.folder.iterdir())
        if not path.is_symlink() and (path / HIDDEN / MARK).is_file()
    }


def find_network(project: Project, name: str) -> NetworkFolder:
    """A network by its name, which is looked up and never becomes part of a path."""
    found = networks(project)
    if name not in found:
        raise BadParameter(f"no network '{name}' in this project; there is {', '.join(found) or 'none yet'}")
    return found[name]


def add_network(project: Project, name: str, write: Callable[[Path], Any]) -> NetworkFolder:
    """Make a network of a file with this name, whoever gave it; `write` is told where to put it."""
    place = project.put(safe_name(name, KINDS, "network"), write, MARK)
    project.tell()
    return find_network(project, place.name)
