"""One process at a time in a folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.queries.service.lock import FolderLock


def test_a_second_holder_is_refused_until_the_first_lets_go(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "lock")
    with pytest.raises(BadParameter, match="running"):
        FolderLock(tmp_path / "lock")
    lock.release()
    lock.release()
    FolderLock(tmp_path / "lock").release()


def test_a_process_that_dies_lets_go(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from shoal.queries.service.lock import FolderLock;"
        "FolderLock(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "lock")], check=False)
    FolderLock(tmp_path / "lock").release()
