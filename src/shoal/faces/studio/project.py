"""A project is a folder: one folder for each table, with the file, `shoal.toml`, hierarchies and runs in it.

It can be closed, moved and reopened, and `shoal table protect --config` reads what is in it.
A name that comes from a browser is looked up among those that are there; it never becomes part of a path.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.faces.studio.history import History, read_json, write_json
from shoal.faces.studio.runs import Runs
from shoal.faces.studio.settings import Settings
from shoal.jobs.tables.requests import ROLES, ProtectTable

KINDS = (".csv", ".tsv", ".txt", ".parquet", ".arrow", ".feather", ".xlsx", ".csv.gz", ".tsv.gz")
HIDDEN = ".studio"  # what the studio keeps for itself, in the project and in the folder of each table
LONGEST = 80  # characters of a file's name that are kept


class Project:
    """A folder with tables."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        if self.folder.exists() and not self.folder.is_dir():
            raise BadParameter(f"'{folder}' is a file; name a folder for the project with --project")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._tables: dict[str, TableFolder] = {}
        self.watchers: list[Callable[[], None]] = []

    @property
    def tables(self) -> dict[str, TableFolder]:
        """The tables by name, in order."""
        for path in sorted(self.folder.iterdir()):
            if path.name not in self._tables and TableFolder.is_one(path):
                self._tables[path.name] = TableFolder(path, self.tell)
        gone = [name for name, table in self._tables.items() if not table.folder.is_dir()]
        for name in gone:
            del self._tables[name]
        return dict(sorted(self._tables.items()))

    @property
    def loose_files(self) -> list[str]:
        """Names of table files that lie in the project folder itself and can be added."""
        return sorted(
            path.name
            for path in self.folder.iterdir()
            if path.is_file() and not path.is_symlink() and has_known_kind(path.name)
        )

    def table(self, name: str) -> TableFolder:
        """A table by its name."""
        found = self.tables.get(name)
        if found is None:
            there = ", ".join(self.tables) or "none yet"
            raise BadParameter(f"no table '{name}' in this project; there is {there}")
        return found

    def add_loose(self, name: str) -> TableFolder:
        """Make a table of a file that lies in the project folder."""
        if name not in self.loose_files:
            raise BadParameter(f"no file '{name}' in the project folder")
        return self.add_copy(self.folder / name)

    def add_copy(self, file: Path) -> TableFolder:
        """Make a table of a file that the owner of this process named."""
        if not file.is_file():
            raise BadParameter(f"no file '{file}'; check the path")
        return self.add(file.name, lambda place: shutil.copyfile(file, place))

    def add(self, name: str, write: Callable[[Path], Any]) -> TableFolder:
        """Make a table of a file with this name, whoever gave it; `write` is told where to put the file."""
        table = self.table(self.put(safe_name(name), write, "table.json").name)
        self.tell()
        return table

    def put(self, file: str, write: Callable[[Path], Any], mark: str) -> Path:
        """A new folder with one file in it, whole or not there; `mark` says what kind of folder it is."""
        trial = self.folder / HIDDEN / f"upload-{os.urandom(6).hex()}"
        trial.mkdir(parents=True)
        try:
            write(trial / file)
            write_json(trial / HIDDEN / mark, {"file": file})
            place = self._free_name(file)
            trial.rename(place)
        finally:
            shutil.rmtree(trial, ignore_errors=True)
        return place

    def remove(self, name: str) -> None:
        """Forget a table with everything in its folder."""
        table = self.table(name)
        shutil.rmtree(table.folder)
        del self._tables[table.name]
        self.tell()

    @property
    def preferences(self) -> dict[str, Any]:
        """What the user of this project likes, such as a dark page."""
        return read_json(self.folder / HIDDEN / "preferences.json") or {}

    def prefer(self, **more: Any) -> None:
        write_json(self.folder / HIDDEN / "preferences.json", {**self.preferences, **more})

    def tell(self) -> None:
        """Tell everybody who watches that something has changed."""
        for watcher in list(self.watchers):
            watcher()

    def _free_name(self, file: str) -> Path:
        stem = re.sub(r"[^a-z0-9_-]+", "-", file.split(".")[0].lower()).strip("-") or "table"
        names = [stem, *(f"{stem}-{number}" for number in range(2, 1000))]
        return next(self.folder / name for name in names if not (self.folder / name).exists())


class TableFolder:
    """One table of a project, and all that was decided about it."""

    def __init__(self, folder: Path, tell: Callable[[], None] = lambda: None) -> None:
        self.folder, self.name, self._tell = folder, folder.name, tell
        self.file = folder / safe_name(read_json(folder / HIDDEN / "table.json")["file"])
        self._history = History(folder / HIDDEN / "history.json")
        self.runs = Runs(folder / "runs")

    @staticmethod
    def is_one(path: Path) -> bool:
        return not path.is_symlink() and (path / HIDDEN / "table.json").is_file()

    @property
    def settings(self) -> Settings:
        return self._history.settings

    def change(self, done: str, **new: Any) -> None:
        """Change settings; `done` says in a few words what was done, for undo."""
        settings = replace(self.settings, **new)
        if settings != self.settings:
            self._history.add(settings, done)
            self._tell()

    def decide(self, columns: tuple[str, ...], role: str) -> None:
        """Give columns a role by hand; those that determine each other get theirs at once."""
        roles = {**self.settings.roles, **dict.fromkeys(columns, role)}
        accepted = tuple(name for name in self.settings.accepted if name not in columns)
        self.change(f"{', '.join(columns)}: {role}", roles=roles, accepted=accepted)

    def accept(self, roles: Mapping[str, str]) -> None:
        """Accept the roles that columns suggest."""
        accepted = (*self.settings.accepted, *roles)
        self.change("accepted all suggestions", roles={**self.settings.roles, **roles}, accepted=accepted)

    @property
    def undone(self) -> str | None:
        return self._history.undone

    @property
    def redone(self) -> str | None:
        return self._history.redone

    def undo(self) -> None:
        self._history.undo()
        self._tell()

    def redo(self) -> None:
        self._history.redo()
        self._tell()

    @property
    def inspection(self) -> dict[str, Any] | None:
        """What the table looks like, once a worker has found out: see `tasks.inspect`."""
        found: dict[str, Any] | None = read_json(self.folder / HIDDEN / "inspection.json")
        return found

    @property
    def rows_file(self) -> Path:
        """Where the rows are kept for paging."""
        return self.folder / HIDDEN / "rows.arrow"

    @property
    def undecided(self) -> list[str]:
        """The columns that nobody has decided about: nothing is released before there are none."""
        columns = (self.inspection or {}).get("columns", {})
        return [column for column in columns if column not in self.settings.roles]

    def new_hierarchy_file(self, number: int) -> Path:
        """A new place for a hierarchy of the column with this number: undo needs the old ones."""
        names = (f"column-{number + 1}-{change:03}.csv" for change in range(1, 1000))
        return next(place for name in names if not (place := self.folder / "hierarchies" / name).exists())

    def request(self, kind: type[Any], settings: Settings | None = None, **more: Any) -> Any:
        """A request about the original table, with its roles and hierarchies."""
        settings = settings or self.settings
        roles: dict[str, Any] = {role: settings.columns(role) for role in ROLES}
        specs = {column: self.located(spec) for column, spec in settings.used_hierarchies().items()}
        return kind(**{"data": str(self.file), **roles, "hierarchy": specs, **more})

    def protect_job(self, output: str | Path | None = None, settings: Settings | None = None) -> ProtectTable:
        """The request that a run carries out. A column without a role stops it."""
        settings = settings or self.settings
        job: ProtectTable = self.request(
            ProtectTable,
            settings,
            **settings.asked(),
            output=output,
            undeclared="refuse",
            decided=dict.fromkeys(settings.accepted, "suggestion"),
        )
        return job

    def located(self, spec: str) -> str:
        """A hierarchy's specification with the whole path, where it is a file of this folder."""
        return str(self.folder / spec) if spec.startswith("hierarchies/") else spec

    def save_project_file(
        self, place: Path | None = None, output: str | None = None, settings: Settings | None = None
    ) -> Path:
        """Write the settings as a `shoal.toml` that the command line reads."""
        from shoal.jobs.config import save

        target = place or self.folder / "shoal.toml"
        words = (settings or self.settings).words()
        hierarchy = {name: _from_here(self.located(spec)) for name, spec in words["hierarchy"].items()}
        told = {"file": _from_here(str(self.file)), **words, "hierarchy": hierarchy, "undeclared": "refuse"}
        told |= {"output": _from_here(output)} if output else {}
        save(target, ProtectTable, told)
        return target


def arriving(project: Project) -> Path:
    """A place in the project folder for a file that is not there yet, named by nobody."""
    folder = project.folder / HIDDEN
    folder.mkdir(exist_ok=True)
    return folder / f"arriving-{os.urandom(8).hex()}.csv"


def safe_name(name: str, kinds: Sequence[str] = KINDS, what: str = "table") -> str:
    """A file's name without anything that leads elsewhere; refused where it is no table."""
    plain = re.sub(r"[^\w. -]+", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(" .")
    if not plain or not has_known_kind(plain, kinds):
        raise BadParameter(f"'{name}' is no {what} that Shoal reads; choose one of {', '.join(kinds)}")
    kind = next(kind for kind in sorted(kinds, key=len, reverse=True) if plain.lower().endswith(kind))
    return plain[: -len(kind)].strip(" .")[:LONGEST] + plain[-len(kind) :]


def has_known_kind(name: str, kinds: Sequence[str] = KINDS) -> bool:
    return any(name.lower().endswith(kind) and len(name) > len(kind) for kind in kinds)


def _from_here(path: str) -> str:
    """Relative to where this process is: a project file keeps such paths relative to itself."""
    return os.path.relpath(path) if Path(path).is_absolute() else path
