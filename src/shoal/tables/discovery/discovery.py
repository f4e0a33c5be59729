"""What a table gives away before anybody has declared a role: suggestions, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import polars as pl

from shoal.core.notebook import Framed, Shown
from shoal.core.outcome import Tables
from shoal.tables.appraisal.packed_columns import class_sizes, pack_columns
from shoal.tables.column_decisions import Role
from shoal.tables.discovery.dependencies import Dependency, dependencies_of
from shoal.tables.discovery.roles import Column, ColumnReport, encode, look
from shoal.tables.discovery.surrounding_columns import in_company
from shoal.tables.measures.separation import separated_share
from shoal.tables.table import Table

SCREENED_ROWS = 100_000  # rows that decide which combinations are worth counting over the whole table
MOST_COLUMNS = 12  # candidates for combinations: 298 combinations of up to three
LARGEST = 3  # columns in a combination; three already single out most people
LISTED = 10  # combinations kept of each size; what adds columns to a key is left out


@dataclass(frozen=True)
class CombinationReport:
    """How well some columns together tell the rows apart."""

    columns: tuple[str, ...]
    distinction: float
    separation: float


@dataclass(frozen=True)
class Inspection(Framed, Shown):
    """Suggested roles, the combinations that single people out, riskiest first, and what gives what away."""

    columns: dict[str, ColumnReport]
    combinations: list[CombinationReport]
    dependencies: list[Dependency]

    def to_json(self) -> dict[str, Any]:
        """The document that `shoal table inspect --json` prints."""
        return {
            "columns": {
                name: {
                    "role": report.role,
                    "reason": report.reason,
                    "distinction": report.distinction,
                    "separation": report.separation,
                    "pattern": report.pattern,
                }
                for name, report in self.columns.items()
            },
            "combinations": [
                {
                    "columns": ",".join(report.columns),
                    "distinction": report.distinction,
                    "separation": report.separation,
                }
                for report in self.combinations
            ],
            "dependencies": [one.to_json() for one in self.dependencies],
        }

    def to_polars(self) -> pl.DataFrame:
        """One row per column: its role, why, and its figures."""
        rows = [{"column": name, **asdict(report)} for name, report in self.columns.items()]
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_rows(self) -> list[list[str]]:
        """The columns as a text table, header first."""
        rows = [["column", "role", "distinction", "separation", "pattern", "reason"]]
        for name, report in self.columns.items():
            numbers = [f"{report.distinction:.2%}", f"{report.separation:.2%}"]
            rows.append([name, report.role, *numbers, report.pattern or "", report.reason])
        return rows

    def combination_rows(self) -> list[list[str]]:
        """The combinations as a text table, header first."""
        rows = [["columns", "distinction", "separation"]]
        for report in self.combinations:
            rows.append([", ".join(report.columns), f"{report.distinction:.2%}", f"{report.separation:.2%}"])
        return rows

    def dependency_rows(self) -> list[list[str]]:
        """The dependencies as a text table, header first; two columns that give each other away once."""
        rows = [["columns", "give away", "in rows"]]
        shares = {(one.determining, one.determined): one.share for one in self.dependencies}
        told: set[frozenset[str]] = set()
        for one in self.dependencies:
            both = frozenset((*one.determining, one.determined))
            if not one.mutual:
                rows.append([", ".join(one.determining), one.determined, _percent(one.share)])
            elif both not in told:
                told.add(both)
                share = min(one.share, shares[(one.determined,), one.determining[0]])
                rows.append(
                    [one.determining[0], f"{one.determined}, and the other way round", _percent(share)]
                )
        return rows

    def to_tables(self) -> Tables:
        """All of them, by title."""
        told = {"columns": self.to_rows(), "riskiest combinations": self.combination_rows()}
        return told | ({"columns that give others away": self.dependency_rows()} if self.dependencies else {})


def inspect(table: Table) -> Inspection:
    """Suggest a role for every column, and list the combinations of columns that single people out.

    Roles that the table already declares do not sway the suggestion. Distinction and separation are those
    of Motwani & Xu 2007; a missing value is a value. Which combinations are listed is decided on a sample
    of rows when the table is long; the figures of those listed are always exact.
    """
    columns = [encode(table.frame[name]) for name in table.columns]
    found = dependencies_of({column.name: column.codes for column in columns})
    reports = _follow_dependencies(_column_reports(columns), found)
    return Inspection(reports, _riskiest(_candidates(columns, reports), table.rows), found)


def look_at(table: Table) -> dict[str, ColumnReport]:
    """The report of every column, without combinations and dependencies."""
    return _column_reports([encode(table.frame[name]) for name in table.columns])


def _column_reports(columns: Sequence[Column]) -> dict[str, ColumnReport]:
    return in_company(columns, {column.name: look(column) for column in columns})


def _follow_dependencies(
    reports: dict[str, ColumnReport], found: Sequence[Dependency]
) -> dict[str, ColumnReport]:
    """The same reports, with the role of what a seemingly harmless column gives away."""
    told = dict(reports)
    careful: tuple[Role, ...] = ("identifier", "quasi", "sensitive")
    for role in reversed(careful):  # the most careful one is written last
        for one in found:
            column = one.determining[0]
            given_away = reports[one.determined]
            if (
                len(one.determining) == 1
                and reports[column].role == "insensitive"
                and given_away.role == role
            ):
                reason = (
                    f"gives '{one.determined}' away in {_percent(one.share)} of the rows: {given_away.reason}"
                )
                told[column] = replace(reports[column], role=role, reason=reason, understood=True)
    return told


def _percent(share: float) -> str:
    """A share that is called 100 % only when it is."""
    return "100%" if share == 1 else f"{min(share, 0.9999):.2%}"


def _candidates(columns: Sequence[Column], reports: dict[str, ColumnReport]) -> list[Column]:
    """The columns to combine, in the order of the table: quasi-identifiers before insensitive ones."""
    worth = [
        column
        for column in columns
        if column.values > 1 and reports[column.name].role in ("quasi", "insensitive")
    ]
    best = sorted(worth, key=lambda column: (reports[column.name].role != "quasi", -column.separation))
    chosen = {column.name for column in best[:MOST_COLUMNS]}
    return [column for column in worth if column.name in chosen]


def _riskiest(columns: Sequence[Column], rows: int) -> list[CombinationReport]:
    step = -(-rows // SCREENED_ROWS)
    found: list[CombinationReport] = []
    keys: list[set[str]] = []
    for size in range(1, LARGEST + 1):
        groups = [group for group in combinations(columns, size) if not _holds_key(group, keys)]
        if step > 1:
            groups.sort(key=lambda group: _by_risk(_combine(group, step)))
            groups = groups[: 2 * LISTED]
        reports = sorted(map(_combine, groups), key=_by_risk)[:LISTED]
        keys += [set(report.columns) for report in reports if report.distinction == 1]
        found += reports
    return sorted(found, key=_by_risk)


def _holds_key(group: Sequence[Column], keys: Sequence[set[str]]) -> bool:
    """Whether fewer columns already tell all rows apart, so that this group adds nothing."""
    names = {column.name for column in group}
    return any(key <= names for key in keys)


def _by_risk(report: CombinationReport) -> tuple[float, float, int]:
    # Of two equals the shorter comes first: it asks less of an attacker.
    return -report.distinction, -report.separation, len(report.columns)


def _combine(columns: Sequence[Column], step: int = 1) -> CombinationReport:
    """Count over every `step`-th row."""
    sizes = class_sizes(pack_columns([column.codes[::step] for column in columns]))
    rows = int(sizes.sum())
    alike = int((sizes * (sizes - 1)).sum())
    names = tuple(column.name for column in columns)
    return CombinationReport(names, len(sizes) / rows, separated_share(rows, alike))
