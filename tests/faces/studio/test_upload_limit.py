"""An upload is bounded, and lies in the project folder while it arrives."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from shoal.faces.studio.upload_limit import MOST, keep_arriving_files_in, room_for_upload, size_in_words


@pytest.mark.parametrize(("free", "room"), [(400, 100), (3, 0), (10**15, MOST)])
def test_a_file_may_take_a_quarter_of_what_is_free(
    folder: Path, monkeypatch: pytest.MonkeyPatch, free: int, room: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    assert room_for_upload(folder) == room


def test_what_a_killed_studio_left_is_removed_and_what_arrives_is_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    place = folder / "arriving"
    place.mkdir()
    for name, age in (("old", 2 * 24 * 3600), ("young", 60)):
        (place / name).write_text("half")
        then = (place / name).stat().st_mtime - age
        os.utime(place / name, (then, then))
    keep_arriving_files_in(place)
    assert [path.name for path in place.iterdir()] == ["young"]
    with tempfile.NamedTemporaryFile() as file:
        assert Path(file.name).parent == place


@pytest.mark.parametrize(
    ("size", "words"), [(12, "12 B"), (4_200, "4.2 kB"), (2_500_000, "2.5 MB"), (4 * 10**9, "4 GB")]
)
def test_a_size_is_told_as_people_say_it(size: int, words: str) -> None:
    assert size_in_words(size) == words
