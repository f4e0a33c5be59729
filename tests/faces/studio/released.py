"""A table with a release in a project, made without a browser."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from patience import LONG
from shoal.faces.studio import tasks
from shoal.faces.studio.project import Project, TableFolder
from shoal.faces.studio.runs import Run
from shoal.faces.studio.settings import Settings
from shoal.faces.studio.worker import Work

ROLES = {"name": "identifier", "zip": "quasi", "age": "quasi", "ill": "sensitive"}
SETTINGS = Settings(roles=ROLES, model=("k-anonymity(k=3)",), method="optimal", suppress=0.1, seed=1)


def released(project: Path, name: str, rows: str, settings: Settings = SETTINGS) -> TableFolder:
    """A table with one run, which comes into the project when it is done: a studio may be looking."""
    making = project.parent / f"making-{name}"
    table = Project(making).add(f"{name}.csv", lambda place: place.write_text(rows, "utf-8"))
    tasks.inspect(str(table.folder))
    words = ("roles", "model", "method", "suppress", "seed")
    table.change("roles", **{one: getattr(settings, one) for one in words})
    run_again(table, settings)
    project.mkdir(parents=True, exist_ok=True)
    return TableFolder(table.folder.rename(project / name))


def run_again(table: TableFolder, settings: Settings) -> Run:
    def begin(place: Path, end: Callable[[Work], None]) -> Work:
        work = Work("protecting")
        work.result = tasks.protect(str(table.folder), settings.to_json(), str(place))
        work.state = "done"
        threading.Thread(target=end, args=(work,), daemon=True).start()
        return work

    ended = threading.Event()
    run = table.runs.start(settings, begin, ended.set)
    assert ended.wait(LONG)
    return run
