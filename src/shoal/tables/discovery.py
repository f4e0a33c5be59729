"""What a table gives away before anybody has declared a role: suggestions, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from shoal.core.notebook import Framed, Shown
from shoal.core.outcome import Tables
from shoal.tables.hints import DIRECT, QUASI, SENSITIVE, hinted, topic
from shoal.tables.measures.separation import separated_share
from shoal.tables.packing import Ints, class_sizes, coded, packed
from shoal.tables.patterns import Pattern, find_pattern
from shoal.tables.table import Role, Table
from shoal.tables.values import texts

SAMPLE_VALUES = 1_000  # distinct values looked at for a pattern
LONGEST_VALUE = 500  # characters of a value looked at; longer ones are free text anyway
SCREENED_ROWS = 100_000  # rows that decide which combinations are worth counting over the whole table
MOST_COLUMNS = 12  # candidates for combinations: 298 combinations of up to three
LARGEST = 3  # columns in a combination; three already single out most people
LISTED = 10  # combinations kept of each size; what adds columns to a key is left out
NEARLY_UNIQUE = 0.95  # the share of rows with a value that no other row has
MANY_VALUES = 0.05  # distinction from which a column helps to single people out
SHARP = 0.99  # separation from which it does so too, as a hundred equally frequent values would
MISSING_MARKS = ("", "?", "-", ".", "*", "na", "n/a", "nan", "null", "none", "unknown")


@dataclass(frozen=True)
class ColumnReport:
    """What one column looks like, the role it should have, and why."""

    role: Role
    reason: str
    distinction: float
    separation: float
    pattern: str | None


@dataclass(frozen=True)
class CombinationReport:
    """How well some columns together tell the rows apart."""

    columns: tuple[str, ...]
    distinction: float
    separation: float


@dataclass(frozen=True)
class Inspection(Framed, Shown):
    """Suggested roles of all columns, and the combinations that single people out, riskiest first."""

    columns: dict[str, ColumnReport]
    combinations: list[CombinationReport]

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

    def to_tables(self) -> Tables:
        """Both, by title."""
        return {"columns": self.to_rows(), "riskiest combinations": self.combination_rows()}


@dataclass(frozen=True)
class _Column:
    """One column as numbers: a code per row, and the counts that follow from it."""

    name: str
    codes: Ints
    values: int
    single: int
    separation: float
    decimal: bool
    pattern: Pattern | None

    @property
    def distinction(self) -> float:
        return self.values / len(self.codes)


def inspect(table: Table) -> Inspection:
    """Suggest a role for every column, and list the combinations of columns that single people out.

    Roles that the table already declares do not sway the suggestion. Distinction and separation are those
    of Motwani & Xu 2007; a missing value is a value. Which combinations are listed is decided on a sample
    of rows when the table is long; the figures of those listed are always exact.
    """
    columns = [_encode(table.frame[name]) for name in table.columns]
    reports = {column.name: _report(column) for column in columns}
    return Inspection(reports, _riskiest(_candidates(columns, reports), table.rows))


def look_at(table: Table) -> dict[str, ColumnReport]:
    """The report of every column, without the combinations."""
    return {name: _report(_encode(table.frame[name])) for name in table.columns}


def _encode(series: pl.Series) -> _Column:
    values = texts(series)
    codes = coded(values)
    sizes = np.bincount(codes)
    alike = int((sizes * (sizes - 1)).sum())
    sample = _sample(values, codes)
    pattern = find_pattern(series.name, sample)
    return _Column(
        name=series.name,
        codes=codes,
        values=int((sizes > 0).sum()),
        single=int((sizes == 1).sum()),
        separation=separated_share(len(codes), alike),
        decimal=pattern is not None and pattern.name == "number" and any(map(_is_decimal, sample)),
        pattern=pattern,
    )


def _sample(values: pl.Series, codes: Ints) -> list[str]:
    """Some distinct values, evenly spaced in the order in which they first occur."""
    first = np.full(int(codes.max()) + 1, -1)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # written backwards, so the first occurrence stays
    first = np.sort(first[first >= 0])
    chosen = (
        values.gather(first[:: -(-len(first) // SAMPLE_VALUES)])
        .drop_nulls()
        .str.strip_chars()
        .str.head(LONGEST_VALUE)
    )
    return [value for value in chosen.to_list() if value.lower() not in MISSING_MARKS]


def _is_decimal(value: str) -> bool:
    return "." in value and not value.rstrip("0").endswith(".")


def _report(column: _Column) -> ColumnReport:
    role, reason = _suggest(column)
    pattern = column.pattern.name if column.pattern else None
    return ColumnReport(role, reason, column.distinction, column.separation, pattern)


def _suggest(column: _Column) -> tuple[Role, str]:
    """The role and the reason. Looks come first, then the name, then the counts: the surest evidence wins."""
    return _by_looks(column) or _by_name(column) or _by_counts(column)


def _by_looks(column: _Column) -> tuple[Role, str] | None:
    pattern = column.pattern
    if pattern is None:
        return None
    if pattern.name == "free-text" and column.distinction >= 0.5:
        return "identifier", "free text, in which names and other identifiers can hide"
    if pattern.role is None:
        return None
    kind = f" (HIPAA kind {pattern.hipaa})" if pattern.hipaa else ""
    return pattern.role, f"looks like {pattern.plural}{kind}"


def _by_name(column: _Column) -> tuple[Role, str] | None:
    if about := topic(column.name, SENSITIVE):
        return "sensitive", f"the name speaks of {about}, which people do not want others to learn"
    if about := topic(column.name, QUASI):
        return "quasi", f"the name speaks of {about}, which others may know about a person"
    if hinted(column.name, DIRECT["code"]) and column.distinction >= 0.5 and not column.decimal:
        return "identifier", f"named like a number given to one person, with {column.values:,} values"
    return None


def _by_counts(column: _Column) -> tuple[Role, str]:
    rows = len(column.codes)
    if column.values == 1:
        return "insensitive", "every row has the same value" if rows > 1 else "there is only one row"
    once = f"{column.single:,} of {rows:,} values occur once"
    if column.single >= NEARLY_UNIQUE * rows:
        if column.decimal:  # a measurement, not a number that somebody was given
            return "quasi", f"{once}, so whoever knows the exact figure knows the person"
        return "identifier", once
    if column.values > 2 and column.distinction >= MANY_VALUES:
        return (
            "quasi",
            f"{column.values:,} different values in {rows:,} rows help to single people out",
        )
    if column.separation >= SHARP:
        alike = round(1 / (1 - column.separation))
        return "quasi", f"as telling as a code with {alike:,} equally frequent values"
    return "insensitive", f"only {column.values:,} different values, and nothing points at a person"


def _candidates(columns: Sequence[_Column], reports: dict[str, ColumnReport]) -> list[_Column]:
    """The columns to combine, in the order of the table: quasi-identifiers before insensitive ones."""
    worth = [
        column
        for column in columns
        if column.values > 1 and reports[column.name].role in ("quasi", "insensitive")
    ]
    best = sorted(worth, key=lambda column: (reports[column.name].role != "quasi", -column.separation))
    chosen = {column.name for column in best[:MOST_COLUMNS]}
    return [column for column in worth if column.name in chosen]


def _riskiest(columns: Sequence[_Column], rows: int) -> list[CombinationReport]:
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


def _holds_key(group: Sequence[_Column], keys: Sequence[set[str]]) -> bool:
    """Whether fewer columns already tell all rows apart, so that this group adds nothing."""
    names = {column.name for column in group}
    return any(key <= names for key in keys)


def _by_risk(report: CombinationReport) -> tuple[float, float, int]:
    # Of two equals the shorter comes first: it asks less of an attacker.
    return -report.distinction, -report.separation, len(report.columns)


def _combine(columns: Sequence[_Column], step: int = 1) -> CombinationReport:
    """Count over every `step`-th row."""
    sizes = class_sizes(packed([column.codes[::step] for column in columns]))
    rows = int(sizes.sum())
    alike = int((sizes * (sizes - 1)).sum())
    names = tuple(column.name for column in columns)
    return CombinationReport(names, len(sizes) / rows, separated_share(rows, alike))
