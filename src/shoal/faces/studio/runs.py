"""The runs of one table, kept side by side on disk: what was asked, what came of it, and the release."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter
from shoal.faces.studio.findings import Findings
from shoal.faces.studio.history import read_json, write_json
from shoal.faces.studio.settings import Settings

if TYPE_CHECKING:
    from shoal.faces.studio.worker import Work


@dataclass
class Run:
    """One run: running, done, failed or cancelled."""

    number: int
    settings: Settings
    state: str = "running"
    error: str = ""
    began: float = field(default_factory=time.time)
    seconds: float = 0.0
    result: dict[str, Any] = field(default_factory=dict)  # as `shoal table protect --json` prints it

    @property
    def name(self) -> str:
        return f"{self.number:03}"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "settings": self.settings.to_json()}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Run:
        return cls(**{**told, "settings": Settings.from_json(told["settings"])})


class Runs:
    """All runs of a table, those at work too. A page that is loaded again finds them here."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runs: dict[int, Run] = {}
        self._works: dict[int, Work] = {}
        self._findings: dict[int, Findings] = {}
        for path in sorted(folder.glob("[0-9]*/run.json")) if folder.is_dir() else ():
            run = Run.from_json(read_json(path))
            if run.state == "running":  # its studio was ended before it was
                run.state, run.error = "cancelled", "the studio was closed before this run ended"
            self._runs[run.number] = run

    @property
    def all(self) -> list[Run]:
        """The newest first."""
        return [self._runs[number] for number in sorted(self._runs, reverse=True)]

    @property
    def done(self) -> list[Run]:
        return [run for run in self.all if run.state == "done"]

    def find(self, number: int) -> Run:
        if number not in self._runs:
            raise BadParameter(f"there is no run {number}; it may have been removed")
        return self._runs[number]

    def folder(self, run: Run) -> Path:
        """Where the files of a run are."""
        return self._folder / run.name

    def release(self, run: Run) -> Path:
        """The released table; its manifest lies beside it."""
        return self.folder(run) / "release.csv"

    def findings(self, run: Run) -> Findings:
        """What long work found out about a release."""
        return self._findings.setdefault(run.number, Findings(self.folder(run)))

    def work(self, run: Run) -> Work | None:
        """How far a run is, while it is at work."""
        return self._works.get(run.number)

    def start(
        self,
        settings: Settings,
        begin: Callable[[Path, Callable[[Work], None]], Work],
        then: Callable[[], None],
    ) -> Run:
        """Begin a run; `begin` starts work that writes into a folder of its own. What is done is kept."""
        run = Run(max(self._runs, default=0) + 1, settings)
        trial = self._folder / f".trial-{run.name}"
        shutil.rmtree(trial, ignore_errors=True)
        trial.mkdir(parents=True)
        self._runs[run.number] = run
        write_json(self.folder(run) / "run.json", run.to_json())

        begun = threading.Event()

        def end(work: Work) -> None:
            begun.wait(60)  # until it is known under its number
            run.state, run.error, run.seconds = work.state, work.error, work.seconds
            run.result = work.result or {}
            if work.state == "done":
                for path in trial.iterdir():
                    path.rename(self.folder(run) / path.name)
            shutil.rmtree(trial, ignore_errors=True)
            write_json(self.folder(run) / "run.json", run.to_json())
            self._works.pop(run.number, None)
            then()

        self._works[run.number] = begin(trial, end)
        begun.set()
        return run

    def remove(self, run: Run) -> None:
        """Forget a run that is not at work, with its files."""
        if run.number in self._works:
            raise BadParameter(f"run {run.number} is at work; cancel it first")
        shutil.rmtree(self.folder(run), ignore_errors=True)
        del self._runs[run.number]
        self._findings.pop(run.number, None)
