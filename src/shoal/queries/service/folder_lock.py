"""One process at a time in a folder, and one user."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from shoal.core.errors import BadParameter


class FolderLock:
    """Held by one process. It goes with the process, however that ends.

    The folder is made when it is not there, for its owner only.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadParameter(
                f"'{path.parent}' cannot be a service's folder ({error.strerror}); choose another"
            ) from None
        with suppress(ImportError):  # where there is no flock, DuckDB's own lock on its files has to do
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.release()
                raise BadParameter(
                    f"a service is running in {path.parent} already; stop it, or choose another folder"
                ) from None

    def release(self) -> None:
        """Let others in."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def keep_private(folder: Path) -> None:
    """Take from all but the owner what they may do with a folder and everything in it."""
    for path in (folder, *folder.rglob("*")):
        with suppress(OSError):  # gone meanwhile, or somebody else's
            if not path.is_symlink():
                path.chmod(0o700 if path.is_dir() else 0o600)
