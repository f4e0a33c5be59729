"""One process at a time in a folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from patience import LONG
from shoal.core.errors import BadParameter
from shoal.queries.service.folder_lock import FolderLock


def test_a_second_holder_is_refused_until_the_first_lets_go(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "lock")
    with pytest.raises(BadParameter, match="running"):
        FolderLock(tmp_path / "lock")
    lock.release()
    lock.release()
    FolderLock(tmp_path / "lock").release()


def test_a_folder_that_cannot_be_one_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    for place in (tmp_path / "file" / "lock", tmp_path / "file" / "deeper" / "lock"):
        with pytest.raises(BadParameter, match="cannot be a service's folder"):
            FolderLock(place)
    FolderLock(tmp_path / "new" / "lock").release()
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_a_process_that_dies_lets_go(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from shoal.queries.service.folder_lock import FolderLock;"
        "FolderLock(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "lock")], check=False, timeout=LONG)
    FolderLock(tmp_path / "lock").release()
