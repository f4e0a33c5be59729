"""States of a table's settings, one after the other, kept in a file: undo, redo, and reopening."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.faces.studio.settings import Settings

MOST = 200  # states that are kept


@dataclass(frozen=True)
class State:
    """Settings, and what was done to get them, in a few words."""

    settings: Settings
    done: str


class History:
    """The states of one table; every change is on disk before anybody sees it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._states = [State(Settings(), "opened")]
        self._at = 0
        if path.is_file():
            told = json.loads(path.read_text("utf-8"))
            self._states = [State(Settings.from_json(one["settings"]), one["done"]) for one in told["states"]]
            self._at = told["at"]

    @property
    def settings(self) -> Settings:
        return self._states[self._at].settings

    @property
    def undone(self) -> str | None:
        """What undo would take back, if anything."""
        return self._states[self._at].done if self._at else None

    @property
    def redone(self) -> str | None:
        """What redo would do again, if anything."""
        return self._states[self._at + 1].done if self._at + 1 < len(self._states) else None

    def add(self, settings: Settings, done: str) -> None:
        """A new state; what was undone before is forgotten."""
        self._states = [*self._states[: self._at + 1], State(settings, done)][-MOST:]
        self._at = len(self._states) - 1
        self._save()

    def undo(self) -> None:
        self._at = max(self._at - 1, 0)
        self._save()

    def redo(self) -> None:
        self._at = min(self._at + 1, len(self._states) - 1)
        self._save()

    def _save(self) -> None:
        states = [{"settings": one.settings.to_json(), "done": one.done} for one in self._states]
        write_json(self._path, {"states": states, "at": self._at})


def write_json(path: Path, document: Any) -> None:
    """A file of the project, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    trial = path.with_name(f".{path.name}.trial")
    trial.write_text(json.dumps(document, ensure_ascii=False, indent=1), "utf-8")
    trial.replace(path)


def read_json(path: Path) -> Any:
    """What `write_json` wrote; None where there is nothing yet."""
    return json.loads(path.read_text("utf-8")) if path.is_file() else None
