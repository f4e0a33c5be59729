"""What the tabs of one studio share."""

from __future__ import annotations

from pathlib import Path

from shoal.faces.studio.desk import Studio
from shoal.faces.studio.project import Project
from shoal.faces.studio.worker import Work


def test_what_was_wrong_with_a_removed_file_is_not_said_of_the_next_of_that_name(tmp_path: Path) -> None:
    studio = Studio(Project(tmp_path))
    kept, removed = (
        studio.project.add(name, lambda place: place.write_text("a\n")) for name in ("b.csv", "c.csv")
    )
    for table in (kept, removed):
        studio.looking[table.name] = Work("looking", state="failed", error="it is no table")
    studio.project.remove(removed.name)
    assert list(studio.looking) == [kept.name]
