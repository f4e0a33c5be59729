"""The roles of columns, and who decided what becomes of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from shoal.core.outcome import Json

Role = Literal["identifier", "quasi", "sensitive", "insensitive"]
ROLES: tuple[Role, ...] = get_args(Role)
By = Literal["flags", "project file", "suggestion", "nobody"]
Undeclared = Literal["drop", "refuse", "keep"]
UNDECLARED: tuple[Undeclared, ...] = get_args(Undeclared)
DECIDERS: tuple[By, ...] = get_args(By)


@dataclass(frozen=True)
class Decisions:
    """Who gave each column its role, and which columns went out though nobody had given them one."""

    by: Mapping[str, By] = field(default_factory=dict)
    undeclared: Undeclared = "drop"
    kept: tuple[str, ...] = ()

    @property
    def nobodys(self) -> tuple[str, ...]:
        """The columns that nobody gave a role."""
        return tuple(column for column, who in self.by.items() if who == "nobody")

    @property
    def left_out(self) -> tuple[str, ...]:
        """Those of them that did not go out."""
        return tuple(column for column in self.nobodys if column not in self.kept)

    def words(self) -> str:
        """What became of columns without a role, in plain words; nothing where every column has one."""
        told = []
        if self.left_out:
            told.append(f"{_columns(self.left_out)} left out: {', '.join(self.left_out)}.")
        if self.kept:
            told.append(f"{_columns(self.kept)} released unchanged all the same: {', '.join(self.kept)}.")
        return " ".join(told)

    def to_json(self) -> dict[str, Json]:
        """As the manifest has it."""
        return {
            "columns": dict(self.by),
            "undeclared": self.undeclared,
            "left_out": list(self.left_out),
            "kept": list(self.kept),
            "words": self.words(),
        }

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> Decisions:
        """From a manifest."""
        by = {str(column): str(who) for column, who in found["columns"].items()}
        setting, kept = str(found["undeclared"]), found["kept"]
        if setting not in UNDECLARED or not set(by.values()) <= set(DECIDERS) or not set(kept) <= set(by):
            raise ValueError("who decided about the columns is not told as Shoal tells it")
        return cls(cast(dict[str, By], by), setting, tuple(kept))


def _columns(names: Sequence[str]) -> str:
    return "1 column had no role and was" if len(names) == 1 else f"{len(names)} columns had no role and were"
