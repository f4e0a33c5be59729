"""Folders of files: of one kind, unchanged while they are read, new ones whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.core.errors import BadInput, BadParameter, BadTable
from shoal.engines.address import Address
from shoal.engines.folders import FolderState, new_folder


def state_of(folder: Path) -> FolderState:
    return FolderState.of(Address("folder", str(folder)))


def test_hidden_files_and_marks_are_no_data(tmp_path: Path) -> None:
    for name in ("a.csv", "_SUCCESS", ".a.csv.crc", "inside/b.csv", "_temporary/c.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n1\n")
    assert [path.name for path in state_of(tmp_path).files] == ["a.csv", "b.csv"]


def test_a_folder_of_two_kinds_or_of_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="without files"):
        state_of(tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "a.txt").write_text("x\n1\n")
    with pytest.raises(BadTable, match=r"holds \.csv, \.txt"):
        state_of(tmp_path)


def test_a_folder_that_changes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    state = state_of(tmp_path)
    state.check()
    (tmp_path / "b.csv").write_text("x\n2\n")
    with pytest.raises(BadTable, match="changed while it was read"):
        state.check()


def test_a_new_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    target = Address("folder", str(tmp_path / "new"))
    with pytest.raises(KeyError), new_folder(target) as trial:
        assert not list(trial.iterdir())
        raise KeyError("stop")
    assert not list(tmp_path.iterdir())
    with new_folder(target) as trial:
        (trial / "a").write_text("1")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
    with pytest.raises(BadParameter, match="already"), new_folder(target):
        pass
    with pytest.raises(BadInput, match="no folder"), new_folder(Address("folder", str(tmp_path / "x/y"))):
        pass
