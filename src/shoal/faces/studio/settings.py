"""What was decided about one table so far, as data: the state that undo goes back to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from shoal.jobs.tables.requests import ROLES, ProtectTable

ASKED = ("model", "method", "suppress", "objective", "time_limit", "seed")


@dataclass(frozen=True)
class Settings:
    """Roles, hierarchies and promises of one table; nothing in it is a path that a browser gave."""

    roles: Mapping[str, str] = field(default_factory=dict)  # columns that somebody decided about
    accepted: tuple[str, ...] = ()  # those whose suggested role was accepted, and not chosen by hand
    hierarchy: Mapping[str, str] = field(default_factory=dict)  # a rule, or a file in the table's folder
    model: tuple[str, ...] = ("k-anonymity(k=5)",)
    method: str = ProtectTable.method
    suppress: float = ProtectTable.suppress
    objective: str = ProtectTable.objective
    time_limit: float | None = ProtectTable.time_limit
    seed: int | None = ProtectTable.seed

    def columns(self, role: str) -> tuple[str, ...]:
        """The columns of one role, in the order they were decided about."""
        return tuple(column for column, one in self.roles.items() if one == role)

    def words(self) -> dict[str, Any]:
        """The same in the words of a project file; hierarchies as they stand here."""
        return {
            **{role: self.columns(role) for role in ROLES},
            **{word.replace("_", "-"): value for word, value in self.asked().items()},
            "hierarchy": self.used_hierarchies(),
        }

    def asked(self) -> dict[str, Any]:
        """What is asked of a release, in the words of a request."""
        return {word: getattr(self, word) for word in ASKED}

    def used_hierarchies(self) -> dict[str, str]:
        """The hierarchies of columns that have a use for one."""
        used = (*self.columns("quasi"), *self.columns("sensitive"))
        return {column: spec for column, spec in self.hierarchy.items() if column in used}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Settings:
        """Settings as `to_json` gave them."""
        lists = {name: tuple(told[name]) for name in ("accepted", "model")}
        return cls(**{**told, **lists})
