"""How much a browser may upload, so that a project never fills the disk of its machine."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

MOST = 4 * 10**9  # bytes; whoever has more puts the file into the project folder
KEPT = 24 * 3600  # seconds that a file may take to arrive
SHARE = 4  # a file, the copy while it arrives, the rows kept for paging, and a release have to fit


def room_for_upload(folder: Path) -> int:
    """The largest file that may be uploaded into a folder, in bytes."""
    return min(MOST, shutil.disk_usage(folder).free // SHARE)


def keep_arriving_files_in(folder: Path) -> None:
    """Whatever this process writes while an upload arrives lies here, and nowhere else on the machine."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.iterdir():  # of a studio that was killed; what is younger may be another one's
        if left.is_file() and time.time() - left.stat().st_mtime > KEPT:
            left.unlink(missing_ok=True)
    tempfile.tempdir = str(folder)


def size_in_words(size: int) -> str:
    """A size as people say it."""
    for unit, many in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= many:
            return f"{size / many:.3g} {unit}"
    return f"{size} B"
