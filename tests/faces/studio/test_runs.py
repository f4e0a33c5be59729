"""Runs are kept, found again, and leave nothing half-written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.studio.runs import Run, Runs
from shoal.faces.studio.settings import Settings
from shoal.faces.studio.worker import Work

End = Callable[[Work], None]


class Begun:
    """Work that ends when the test wants."""

    def __init__(self) -> None:
        self.work = Work("protecting")
        self.place = Path()
        self._end: End | None = None

    def __call__(self, place: Path, end: End) -> Work:
        self.place, self._end = place, end
        return self.work

    def end(self, state: str) -> None:
        assert self._end is not None
        self.work.state = state  # type: ignore[assignment]
        self._end(self.work)


def started(folder: Path) -> tuple[Runs, Run, Begun]:
    runs, begun = Runs(folder / "runs"), Begun()
    run = runs.start(Settings(), begun, lambda: None)
    (begun.place / "release.csv").write_text("half")
    return runs, run, begun


def test_a_run_that_is_done_has_its_files_and_is_found_again(folder: Path) -> None:
    runs, run, begun = started(folder)
    assert runs.work(run) is begun.work
    begun.work.result = {"released": 5}
    begun.end("done")
    assert runs.work(run) is None
    assert runs.release(run).read_text() == "half"
    assert not begun.place.exists()
    again = Runs(folder / "runs")
    assert [(one.state, one.result) for one in again.done] == [("done", {"released": 5})]


def test_a_run_that_was_cancelled_leaves_no_release(folder: Path) -> None:
    runs, run, begun = started(folder)
    begun.end("cancelled")
    assert run.state == "cancelled"
    assert not begun.place.exists()
    assert not runs.release(run).exists()


def test_a_run_whose_studio_was_ended_is_cancelled(folder: Path) -> None:
    started(folder)
    (again,) = Runs(folder / "runs").all
    assert again.state == "cancelled"
    assert "closed" in again.error


def test_a_run_at_work_is_not_removed_and_numbers_are_not_used_twice(folder: Path) -> None:
    runs, run, begun = started(folder)
    with pytest.raises(BadParameter, match="cancel it first"):
        runs.remove(run)
    begun.end("done")
    second = runs.start(Settings(), Begun(), lambda: None)
    assert [one.number for one in runs.all] == [2, 1]
    runs.remove(run)
    assert [one.number for one in runs.all] == [second.number]
    with pytest.raises(BadParameter, match="no run 1"):
        runs.find(1)
