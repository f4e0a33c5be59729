"""Folders of a run, and what killed runs left: a run locks its folders, and a lock ends with the process."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

SPILL, TRIAL = "shoal-spill-", ".shoal-"  # what does not fit into memory; a release without its name
_MARK = 6  # random bytes behind either


class HeldFolder:
    """A new, empty folder that `sweep` leaves alone as long as this process lives and holds it."""

    def __init__(self, parent: Path, prefix: str, mode: int = 0o777) -> None:
        mark = secrets.token_hex(_MARK)
        self.path = parent / f"{prefix}{mark}"
        # Until it is locked it has a name that no sweep looks at.
        unlocked = parent / f"{prefix}new-{mark}"
        unlocked.mkdir(mode=mode)
        self._handle = _locked(unlocked)
        unlocked.rename(self.path)

    def release(self) -> None:
        """Hold it no longer; it stays where it is."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def remove(self) -> None:
        """Hold it no longer, and take it away with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


def sweep(parent: Path, prefix: str) -> list[Path]:
    """Take away the folders of this user's runs that were killed, and say which there were."""
    name = re.compile(re.escape(prefix) + f"[0-9a-f]{{{2 * _MARK}}}")
    gone = []
    with suppress(OSError):
        for path in sorted(parent.iterdir()):
            if not name.fullmatch(path.name) or path.is_symlink() or not path.is_dir():
                continue
            if path.stat().st_uid != os.geteuid() or (handle := _locked(path)) is None:
                continue
            try:
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(handle)
            if not path.exists():
                gone.append(path)
    return gone


def _locked(folder: Path) -> int | None:
    """The lock on a folder, or nothing where another has it or there are none."""
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
