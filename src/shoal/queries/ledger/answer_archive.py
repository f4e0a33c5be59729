"""Answers that were given, so that the same question need not be paid for twice.

Losing the archive costs money and never privacy: a question asked again is then paid for again. So it is kept
apart from the ledger, and its commits are not forced to disk one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shoal.core.errors import BadParameter
from shoal.queries.ledger.backend import Place
from shoal.queries.ledger.entry import Reservation, clean

_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class ArchivedAnswer:
    """An answer, and who paid for it with which question."""

    dataset: str
    analyst: str
    question: str
    answer: str


class Archive:
    """Answers by the SHA-256 of everything that they depend on."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def put(self, reservation: Reservation, key: str, answer: str) -> None:
        """Keep an answer; the first one under a key stays, so that all who ask again hear the same."""
        with self._place.writing() as hand:
            hand.rows(
                "INSERT INTO answers (key, entry, dataset, analyst, question, answer)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
                _check(key),
                reservation.id,
                clean(reservation.dataset),
                clean(reservation.analyst),
                clean(reservation.question),
                clean(answer),
            )

    def get(self, key: str) -> ArchivedAnswer | None:
        """The answer under a key, if it was kept."""
        with self._place.reading() as hand:
            found = hand.rows(
                "SELECT dataset, analyst, question, answer FROM answers WHERE key = ?", _check(key)
            )
        return ArchivedAnswer(*found[0]) if found else None

    def close(self) -> None:
        """Let go of it."""
        self._place.close()


def _check(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise BadParameter(f"'{key[:80]}' is no key of an answer; it is a SHA-256 in 64 small hex digits")
    return key
