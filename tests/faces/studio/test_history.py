"""Undo and redo, also after the studio was closed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from shoal.faces.studio.history import MOST, History, read_json, write_json


def test_undo_goes_back_redo_goes_forth_and_both_survive(folder: Path) -> None:
    history = History(folder / "history.json")
    first = history.settings
    history.add(replace(first, suppress=0.1), "suppress 10 %")
    history.add(replace(first, suppress=0.2), "suppress 20 %")
    history.undo()
    again = History(folder / "history.json")
    assert again.settings.suppress == 0.1
    assert (again.undone, again.redone) == ("suppress 10 %", "suppress 20 %")
    again.redo()
    assert again.settings.suppress == 0.2
    again.undo()
    again.undo()
    again.undo()
    assert again.settings == first
    assert again.undone is None


def test_a_change_after_undo_forgets_what_was_undone(folder: Path) -> None:
    history = History(folder / "history.json")
    history.add(replace(history.settings, suppress=0.1), "one")
    history.undo()
    history.add(replace(history.settings, suppress=0.3), "two")
    assert history.redone is None
    assert history.settings.suppress == 0.3


def test_so_many_states_are_kept_and_no_more(folder: Path) -> None:
    history = History(folder / "history.json")
    for number in range(MOST + 5):
        history.add(replace(history.settings, seed=number), str(number))
    assert len(read_json(folder / "history.json")["states"]) == MOST


def test_a_file_is_replaced_as_a_whole(folder: Path) -> None:
    write_json(folder / "deep" / "one.json", {"a": 1})
    write_json(folder / "deep" / "one.json", {"a": "ü"})
    assert read_json(folder / "deep" / "one.json") == {"a": "ü"}
    assert [path.name for path in (folder / "deep").iterdir()] == ["one.json"]
    assert read_json(folder / "none.json") is None
