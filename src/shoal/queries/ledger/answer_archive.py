"""Answers that were given, so that the same question need not be paid for twice.

Losing the archive costs money and never privacy: a question asked again is then paid for again. So it is kept
apart from the ledger, and written a moment later, for all answers of that moment together.
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from dataclasses import dataclass

from shoal.core.errors import BadParameter, ShoalError
from shoal.queries.ledger.backend import Place
from shoal.queries.ledger.entry import Reservation, clean

SOON = 0.02  # seconds until what was answered is written
LONG = 5.0  # seconds without an answer after which nobody waits for the next
MOST = 1_000  # answers that wait for that; the next one waits with them
_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class ArchivedAnswer:
    """An answer, and who paid for it with which question."""

    dataset: str
    analyst: str
    question: str
    answer: str


class Archive:
    """Answers by the SHA-256 of everything that they depend on. Threads may share it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[int, ArchivedAnswer]] = {}
        self._writing: dict[str, tuple[int, ArchivedAnswer]] = {}
        self._turn = threading.Lock()
        self._writer: threading.Thread | None = None
        self._wanted, self._hurry = threading.Event(), threading.Event()

    def put(self, reservation: Reservation, key: str, answer: str) -> None:
        """Keep an answer; the first one under a key stays, so that all who ask again hear the same."""
        _check(key)
        texts = (reservation.dataset, reservation.analyst, reservation.question, answer)
        kept = ArchivedAnswer(*map(clean, texts))
        with self._lock:
            full = len(self._waiting) >= MOST
            if key not in self._writing:
                self._waiting.setdefault(key, (reservation.id, kept))
            if self._writer is None and not self._hurry.is_set():
                self._writer = threading.Thread(target=self._write_soon, name="archive", daemon=True)
                self._writer.start()
        self._wanted.set()
        if full or self._hurry.is_set():
            self.flush()

    def get(self, key: str) -> ArchivedAnswer | None:
        """The answer under a key, if it was kept."""
        _check(key)
        with self._lock:
            waits = self._writing.get(key) or self._waiting.get(key)
        with self._place.reading() as hand:
            found = hand.rows("SELECT dataset, analyst, question, answer FROM answers WHERE key = ?", key)
        if found:
            return ArchivedAnswer(*found[0])
        return None if waits is None else waits[1]

    def flush(self) -> None:
        """Write what waits."""
        with self._turn:
            with self._lock:
                self._writing, self._waiting = self._waiting, {}
            try:
                if self._writing:
                    self._write()
            finally:
                with self._lock:
                    self._writing = {}

    def close(self) -> None:
        """Write what waits, and let go of it."""
        self._hurry.set()
        with suppress(ShoalError):  # a full disk costs money, as it did for all answers before
            self.flush()
        self._place.close()

    def _write(self) -> None:
        with self._place.writing() as hand:
            for key, (entry, kept) in self._writing.items():
                hand.rows(
                    "INSERT INTO answers (key, entry, dataset, analyst, question, answer)"
                    " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
                    key,
                    entry,
                    kept.dataset,
                    kept.analyst,
                    kept.question,
                    kept.answer,
                )

    def _write_soon(self) -> None:
        while True:
            if not self._wanted.wait(LONG):
                with self._lock:
                    if not self._waiting:
                        self._writer = None
                        return
            self._hurry.wait(SOON)
            self._wanted.clear()
            with suppress(ShoalError):  # the next time it is paid for again
                self.flush()
            if self._hurry.is_set():
                return


def _check(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise BadParameter(f"'{key[:80]}' is no key of an answer; it is a SHA-256 in 64 small hex digits")
    return key
