"""What long work found out about one release: kept in its folder, gone with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.faces.studio.history import read_json, write_json

if TYPE_CHECKING:
    from shoal.faces.studio.worker import Work


class Findings:
    """Work about one release by a key, while it runs and after it was done."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._works: dict[str, Work] = {}

    def begin(self, key: str, start: Callable[[Callable[[Work], None]], Work]) -> None:
        """Begin work; what it finds is on disk before anybody is told that it has ended."""

        def keep(work: Work) -> None:
            if work.state == "done" and self._folder.is_dir():  # else the release was removed meanwhile
                write_json(self._place(key), {"about": key, "found": work.result})

        self._works[key] = start(keep)

    def work(self, key: str) -> Work | None:
        """The latest work of this studio about it."""
        return self._works.get(key)

    def recall(self, key: str) -> Any:
        """What was found, in this studio or in an earlier one; None where nothing is."""
        with suppress(ValueError):  # a disk that was full or failed: it is found out again
            return (read_json(self._place(key)) or {}).get("found")
        return None

    def _place(self, key: str) -> Path:
        # A key holds names that somebody uploaded, so it never becomes part of a path.
        return self._folder / "found" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
