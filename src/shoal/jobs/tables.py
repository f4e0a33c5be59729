"""Requests about tables. The field names are the flags of the command line, with `_` for `-`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter

Columns = tuple[str, ...]


def columns_of(value: object) -> Columns:
    """Column names from `a,b`, a list, or nothing."""
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise BadParameter(f"column names are text such as zip,age, not {value!r}")


@dataclass(frozen=True, kw_only=True)
class TableRequest:
    """What every request about a table has: where the data are, and the roles of the columns."""

    noun: ClassVar[str] = "table"
    verb: ClassVar[str]

    data: Any = None  # a path, `-`, a Polars or pandas frame, an Arrow table, or a Table
    separator: str | None = None
    encoding: str | None = None
    identifier: Columns = ()
    quasi: Columns = ()
    sensitive: Columns = ()
    insensitive: Columns = ()
    hierarchy: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.data is None:
            raise BadParameter('no table given; name a file (or put file = "…" into the project file)')
        for role in ("identifier", "quasi", "sensitive", "insensitive"):
            object.__setattr__(self, role, columns_of(getattr(self, role)))


@dataclass(frozen=True, kw_only=True)
class InspectTable(TableRequest):
    """Suggest roles and list the riskiest combinations."""

    verb: ClassVar[str] = "inspect"


@dataclass(frozen=True, kw_only=True)
class ProtectTable(TableRequest):
    """Make a release that keeps the models' promises."""

    verb: ClassVar[str] = "protect"

    output: str | Path | None = None
    model: tuple[Any, ...] = ()  # spellings such as `k-anonymity(k=5)`, or models
    k: int | None = None
    method: Any = "optimal"
    suppress: float = 0.0
    objective: str = "loss"
    class_column: str | None = None
    time_limit: float | None = None
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class VerifyTable(TableRequest):
    """Check a release from its files alone."""

    verb: ClassVar[str] = "verify"

    model: tuple[Any, ...] = ()
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class MeasureTable(TableRequest):
    """Risk, and what was lost against the original."""

    verb: ClassVar[str] = "measure"

    original: Any = None
    population: Any = None
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class AttackTable(TableRequest):
    """Run one attack of the catalog."""

    verb: ClassVar[str] = "attack"

    attack: Any = None
    external: Any = None


@dataclass(frozen=True, kw_only=True)
class LadderOf(TableRequest):
    """The hierarchy of one column, given or suggested."""

    verb: ClassVar[str] = "hierarchy"

    column: str = ""
    output: str | Path | None = None
