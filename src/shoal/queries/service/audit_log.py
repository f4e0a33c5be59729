"""The audit log: one line of JSON per request, written before the answer leaves.

The file only ever grows; it is never rotated, shortened or read by the service. Move it away while the
service is stopped, if it gets too long. A line is handed to the operating system before the answer goes out:
it survives the end of the process, but it is not forced to disk. What must survive a power cut is in
the ledger.
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from shoal.core.errors import ShoalError
from shoal.core.outcome import Json
from shoal.queries.ledger.entry import brief

LONGEST = 20_000  # of a question, in characters


class NotNoted(ShoalError):
    """The audit line could not be written, so there is no answer."""

    exit_code = 1


@dataclass
class Note:
    """What is known about a request, filled in on its way through the service. A token is never in it."""

    request: str
    action: str = ""
    address: str = ""
    person: str | None = None
    role: str | None = None
    dataset: str | None = None
    question: str | None = None
    paid: bool = False  # what was asked for nothing is noted in brief
    cost: Json = None
    status: int = 0
    error: str | None = None
    trouble: str | None = None  # why a question was answered as if there were no rows
    milliseconds: float = 0.0
    time: datetime = field(default_factory=lambda: datetime.now(UTC))

    def to_json(self) -> dict[str, Json]:
        """The line as one JSON document."""
        return {
            "time": self.time.isoformat(timespec="milliseconds"),
            "request": self.request,
            "address": self.address,
            "person": self.person,
            "role": self.role,
            "action": self.action,
            "dataset": self.dataset,
            "question": self._asked(),
            "cost": self.cost,
            "status": self.status,
            "error": self.error,
            "trouble": self.trouble,
            "milliseconds": round(self.milliseconds, 3),
        }

    def _asked(self) -> str | None:
        if self.question is None:
            return None
        return self.question[:LONGEST] if self.paid else brief(self.question)


class AuditLog:
    """A file that lines are added to, whole ones only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._file: int | None = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        self._whole = self._ends_whole()

    def write(self, note: Note) -> None:
        """Add a line, or raise `NotNoted`."""
        line = json.dumps(note.to_json(), ensure_ascii=True).encode("ascii") + b"\n"
        with self._lock:
            try:
                if self._file is None:
                    raise OSError("closed")
                # A line that was cut off by a full disk or a crash must not swallow the next one.
                whole = line if self._whole else b"\n" + line
                self._whole = False
                self._whole = os.write(self._file, whole) == len(whole)
            except OSError:
                raise NotNoted("the audit log cannot be written; no answer is given") from None
            if not self._whole:
                raise NotNoted("the audit log cannot be written; no answer is given")

    def close(self) -> None:
        """Close the file; nothing can be written after."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _ends_whole(self) -> bool:
        assert self._file is not None
        size = os.fstat(self._file).st_size
        return size == 0 or os.pread(self._file, 1, size - 1) == b"\n"
