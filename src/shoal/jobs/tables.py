"""Requests about tables. The field names are the flags of the command line, with `_` for `-`."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.jobs.words import numbers_in, weights_in
from shoal.tables.decisions import UNDECLARED, By, Undeclared
from shoal.tables.search.asked import Asked

Columns = tuple[str, ...]

# A name with a comma, or with a space at an end, stands in double quotes: zip,"city, state".
NAME = r'\s*(?:"((?:[^"]|"")*)"|([^{end}]*?))\s*'
_LISTED = re.compile(f"{NAME.format(end=',')}(?:,|$)")


def columns_of(value: object) -> Columns:
    """Column names from `a,b`, a list, or nothing."""
    if value is None:
        return ()
    if isinstance(value, str):
        found = (name_in(piece) for piece in _LISTED.finditer(value))
        return tuple(name for name in found if name)
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return tuple(value)
    raise BadParameter(f"column names are text such as zip,age, not {value!r}")


def name_in(found: re.Match[str]) -> str:
    """The column name that `NAME` found, without its quotes."""
    return found[2] if found[1] is None else found[1].replace('""', '"')


def listed(columns: Iterable[str]) -> str:
    """Column names as `columns_of` reads them."""
    return ",".join(
        name if re.fullmatch(r'[^\s",]([^",]*[^\s",])?', name) else _quoted(name) for name in columns
    )


def pairs_in(text: str) -> dict[str, str]:
    """What is known of one person, from `name=Bob,zip=47678`."""
    pairs: dict[str, str] = {}
    for piece in next(csv.reader([text], skipinitialspace=True), []):
        name, equals, value = piece.partition("=")
        if not equals or not name.strip():
            raise BadParameter(f"--target takes what is known of a person, as zip=47678,age=27, not '{text}'")
        pairs[name.strip()] = value.strip()
    return pairs


def path_in(spec: object) -> str | None:
    """The file that a hierarchy's specification reads: `FILE.csv`, or the one in `parents(file=FILE)`."""
    if isinstance(spec, Path):
        return str(spec)
    if not isinstance(spec, str):
        return None
    if spec.lower().endswith((".csv", ".tsv", ".txt", ".json")):
        return spec
    found = re.search(r"\bfile\s*=\s*([^,)]+)", spec)
    return found[1].strip() if found else None


def declares(spec: object) -> bool:
    """Whether a hierarchy's specification says by itself what values there are, without looking at the data.

    A file of parents does not: a group becomes a leaf as well when somebody has it as a value.
    """
    if isinstance(spec, str):
        return path_in(spec) == spec
    return spec is not None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


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
        if not isinstance(self.hierarchy, Mapping):
            raise BadParameter(
                f"hierarchy maps columns to ladders, as in {{'zip': 'mask()'}}, not {self.hierarchy!r}"
            )


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
    step: tuple[Any, ...] = ()  # spellings such as `noise(column=income)`, or steps, in the order they act
    method: Any = "auto"
    suppress: float = 0.05
    objective: str = "loss"
    class_column: str | None = None
    time_limit: float | None = None
    seed: int | None = None
    population: Any = None  # everybody who might be in the table
    join: tuple[Any, ...] = ()  # more tables about the same people
    person: str | None = None  # the column that says who is who in joined tables
    yes: bool = False  # accept the roles that the columns suggest, and the usual promise where none is given
    undeclared: Undeclared = "drop"  # what becomes of columns without a role
    decided: Mapping[str, By] = field(default_factory=dict)  # who gave a role, where it was not the flags
    escape_formulas: bool = False  # write texts that a spreadsheet would take for a formula with a ' before

    def __post_init__(self) -> None:
        super().__post_init__()
        several = isinstance(self.join, list | tuple)
        object.__setattr__(self, "join", tuple(self.join) if several else (self.join,))
        if self.seed is not None and self.seed < 0:
            raise BadParameter(f"seed is a whole number from 0 on, not {self.seed}")
        if self.undeclared not in UNDECLARED:
            raise BadParameter(
                f"--undeclared is {', '.join(UNDECLARED[:-1])} or {UNDECLARED[-1]}, not '{self.undeclared}'"
            )
        Asked(self.objective, self.suppress, self.time_limit)  # refuses what cannot be, whatever the method


@dataclass(frozen=True, kw_only=True)
class CompareTable(TableRequest):
    """Make releases with many settings, and set risk against usefulness."""

    verb: ClassVar[str] = "compare"

    output: str | Path | None = None  # the curve as .svg, .png, .html or .json
    model: tuple[Any, ...] = ()  # spellings; braces list values to try, as in `l-diversity(l={2,3,5})`
    k: Any = ()  # whole numbers to try, as in `2,5,10`
    method: Any = ("auto",)  # methods to try
    suppress: Any = (0.05,)  # shares to try, as in `0,0.05`
    objective: str = "loss"
    class_column: str | None = None
    risk: str = "prosecutor-highest"
    utility: str = "loss"
    time_limit: float | None = None  # for every setting
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("model", "method"):
            value = getattr(self, name)
            object.__setattr__(self, name, tuple(value) if isinstance(value, list | tuple) else (value,))
        object.__setattr__(self, "k", numbers_in(self.k, "k", int))
        object.__setattr__(self, "suppress", numbers_in(self.suppress, "suppress", float))
        if self.seed is not None and self.seed < 0:
            raise BadParameter(f"seed is a whole number from 0 on, not {self.seed}")
        for share in self.suppress:
            Asked(self.objective, share, self.time_limit)


@dataclass(frozen=True, kw_only=True)
class VerifyTable(TableRequest):
    """Check a release from its files alone."""

    verb: ClassVar[str] = "verify"

    model: tuple[Any, ...] = ()
    k: int | None = None
    population: Any = None


@dataclass(frozen=True, kw_only=True)
class MeasureTable(TableRequest):
    """Risk, and what was lost against the original."""

    verb: ClassVar[str] = "measure"

    original: Any = None
    population: Any = None
    population_size: int | None = None  # how many people the rows were drawn from
    sampling_fraction: float | None = None  # the same as a share
    threshold: float = 0.2  # the risk above which a row is at risk
    combinations: int | None = None  # how many columns to look at together; 0 for none
    safe_harbor: bool = False
    class_column: str | None = None  # what people would predict from the release
    weight: Any = ()  # of columns in the loss, as in `age=2` or {"age": 2}; 1 for all others
    k: int | None = None
    only: tuple[Any, ...] = ()  # measures of the catalog, and nothing else

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weight", weights_in(self.weight))
        several = isinstance(self.only, list | tuple)
        object.__setattr__(self, "only", tuple(self.only) if several else (self.only,))


@dataclass(frozen=True, kw_only=True)
class AttackTable(TableRequest):
    """Run one attack of the catalog."""

    verb: ClassVar[str] = "attack"

    attack: Any = None  # a spelling such as `homogeneity(column=ill)`, or an attack
    external: Any = None  # people that the attacker knows
    target: tuple[str, ...] = ()  # the same one by one, as in `name=Bob,zip=47678,age=27`
    other: tuple[Any, ...] = ()  # further releases about the same people, the newest last
    original: Any = None  # the truth
    control: Any = None  # people who are not in the data
    show: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for field_ in ("other", "target"):
            value = getattr(self, field_)
            object.__setattr__(self, field_, tuple(value) if isinstance(value, list | tuple) else (value,))
        if self.attack is None:
            raise BadParameter("no attack named; `shoal catalog` lists them")
        if self.show is not None and self.show < 0:
            raise BadParameter(f"show is how many people to tell of, 0 for all, not {self.show}")


@dataclass(frozen=True, kw_only=True)
class LadderOf(TableRequest):
    """The hierarchy of one column, given or suggested."""

    verb: ClassVar[str] = "hierarchy"

    column: str = ""
    output: str | Path | None = None
