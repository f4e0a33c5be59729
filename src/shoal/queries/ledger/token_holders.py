"""Who may ask: people, their roles and the hashes of their tokens, kept beside the ledger."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Literal, get_args

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.queries.ledger.entry import now
from shoal.queries.ledger.group_commit import Pen
from shoal.queries.ledger.ledger import Ledger

Role = Literal["owner", "analyst"]
PREFIX = "shoal_"  # so that a search for leaked secrets finds it
LONGEST = 200
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,62}")


@dataclass(frozen=True)
class Person:
    """Somebody who has a token, or had one."""

    name: str
    role: Role
    since: str | None = None
    revoked: str | None = None

    def to_json(self) -> dict[str, Json]:
        return {"name": self.name, "role": self.role, "since": self.since, "revoked": self.revoked}


class People:
    """People and tokens. A token is told once; only its SHA-256 is kept.

    A token holds 256 random bits, so its hash needs no salt and cannot be guessed. It is looked up by that
    hash: how long that takes depends on the hash of what was sent, which nobody can steer towards a kept one,
    so that a comparison in constant time would protect nothing. A name belongs to one person for ever.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, name: str, role: str = "analyst") -> str:
        """Let somebody in and give their token, this once."""
        if not _NAME.fullmatch(name):
            raise BadParameter(f"'{name[:80]}' is no name for a person; use letters, digits and . _ @ -")
        if role not in get_args(Role):
            raise BadParameter(f"no role '{role}'; there is {', '.join(get_args(Role))}")
        token = _token()

        def work(pen: Pen) -> None:
            if pen.rows("SELECT 1 FROM people WHERE name = ?", name):
                raise BadParameter(f"there is somebody called '{name}' already; choose another name")
            pen.rows(
                "INSERT INTO people (name, role, token, since, revoked) VALUES (?, ?, ?, ?, NULL)",
                name,
                role,
                _hash(token),
                now(),
            )
            pen.note("add", analyst=name, question=role)

        self._ledger.writer.do(work)
        return token

    def renew(self, name: str) -> str:
        """Give somebody another token, this once; the one before stops working."""
        token = _token()
        self._replace(name, "renew", _hash(token))
        return token

    def revoke(self, name: str) -> None:
        """Take somebody's token back; what they spent stays spent."""
        self._replace(name, "revoke", None)

    def find(self, token: str) -> Person | None:
        """Whose token it is, if it is anybody's today."""
        if not token.startswith(PREFIX) or len(token) > LONGEST or not token.isascii():
            return None
        with self._ledger.place.reading() as hand:
            rows = hand.rows("SELECT name, role, since, revoked FROM people WHERE token = ?", _hash(token))
        return Person(*rows[0]) if rows else None

    def all(self) -> list[Person]:
        """Everybody who has a token or had one, by name."""
        with self._ledger.place.reading() as hand:
            rows = hand.rows("SELECT name, role, since, revoked FROM people")
        return sorted((Person(*row) for row in rows), key=lambda person: person.name)

    def _replace(self, name: str, kind: Literal["renew", "revoke"], token: str | None) -> None:
        def work(pen: Pen) -> None:
            if not pen.rows("SELECT 1 FROM people WHERE name = ?", name):
                raise BadParameter(f"nobody is called '{name[:80]}'; see who has a token first")
            revoked = now() if token is None else None
            pen.rows("UPDATE people SET token = ?, revoked = ? WHERE name = ?", token, revoked, name)
            pen.note(kind, analyst=name)

        self._ledger.writer.do(work)


def _token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
