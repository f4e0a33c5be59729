"""Settle a request before anything is computed: read the data, give every column a role and a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors

from shoal import catalog
from shoal.core.errors import BadParameter, BadTable
from shoal.engines.formulas import unescaped
from shoal.engines.local import read_frame, to_frame
from shoal.jobs.parts import parts_of
from shoal.jobs.tables import AttackTable, MeasureTable, ProtectTable, TableRequest, VerifyTable
from shoal.jobs.words import listed
from shoal.tables.comparison import level_of
from shoal.tables.discovery import inspect
from shoal.tables.hierarchies import Hierarchy, hierarchy_of, suggest
from shoal.tables.manifest import Manifest, beside
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table
from shoal.tables.values import texts


def models_of(given: Any, k: int | None) -> list[TableModel]:
    """Models from spellings or objects; `k` is short for k-anonymity."""
    models: list[TableModel] = parts_of("model", given, "table")
    if k is not None:
        models.insert(0, catalog.make("model", f"k-anonymity(k={k})"))
    return models


def frame_of(source: Any, job: TableRequest) -> pl.DataFrame:
    """A frame from whatever names one."""
    if isinstance(source, Table):
        return source.frame
    if isinstance(source, str | Path):
        frame = read_frame(source, job.separator, job.encoding)
    else:
        frame = to_frame(source)
    for name in frame.columns:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            # Polars takes such a name for a pattern, and would read other columns in its place.
            raise BadTable(f"the column name '{name}' is a pattern that stands for others; rename it")
    # Polars has no plain text of a length of time; ISO 8601 has.
    return frame.with_columns(selectors.duration().dt.to_string("iso"))


def read_table(job: TableRequest) -> Table:
    if isinstance(job.data, Table):
        return job.data
    if isinstance(job.data, TableRelease):
        return job.data.known_here()
    frame = frame_of(job.data, job)
    if (
        isinstance(job, VerifyTable | MeasureTable | AttackTable)
        and (manifest := manifest_of(job)) is not None
        and manifest.escaped
    ):
        frame = unescaped(frame)
    return Table(frame)


def manifest_of(job: TableRequest) -> Manifest | None:
    if isinstance(job.data, TableRelease):
        return Manifest.of(job.data)
    if not isinstance(job.data, str | Path) or str(job.data) == "-":
        return None
    path = beside(job.data)
    return Manifest.read(path) if path.exists() else None


def with_roles(table: Table, job: TableRequest, manifest: Manifest | None) -> Table:
    """Roles from the flags, else from the manifest, else those the table came with."""
    quasi, sensitive = job.quasi or table.quasi, job.sensitive or table.sensitive
    if manifest is not None:
        # What a flag says about a column outweighs what the manifest says about it.
        named = {*job.identifier, *job.quasi, *job.sensitive, *job.insensitive}
        quasi = quasi or tuple(column for column in manifest.quasi if column not in named)
        sensitive = sensitive or tuple(column for column in manifest.sensitive if column not in named)
    # A release no longer has the identifiers that its project file speaks of.
    identifier = [column for column in job.identifier or table.identifier if column in table.columns]
    table = table.with_roles(identifier, quasi, sensitive, job.insensitive)
    if not table.quasi:
        raise BadParameter(f"no quasi-identifier named; {advice(table)}")
    strangers = [column for column in job.hierarchy if column not in table.columns]
    if strangers:
        raise BadParameter(
            f"there is a hierarchy for '{strangers[0]}', but no such column; "
            f"the table has {', '.join(table.columns)}"
        )
    return table


def laddered(table: Table, job: ProtectTable, blind: bool = False) -> Table:
    """A ladder for every quasi-identifier, and for sensitive columns where one is given.

    With `blind` every column has a ladder given, and no row is looked at: neither a label nor an error may
    depend on one.
    """
    strangers = [column for column in job.hierarchy if column not in (*table.quasi, *table.sensitive)]
    if strangers:
        raise BadParameter(
            f"there is a hierarchy for '{strangers[0]}', which is neither quasi-identifier nor sensitive; "
            f"the quasi-identifiers are {', '.join(table.quasi)}"
        )
    if blind:
        specs = {**table.hierarchies, **job.hierarchy}
        columns = (*table.quasi, *table.sensitive)
        return table.with_hierarchies(
            {column: hierarchy_of(specs[column], table.frame[column].clear(), column) for column in columns}
        )
    ladders = ladders_of(table, job, table.quasi, job.class_column)
    for column in table.sensitive:
        if column in job.hierarchy:
            ladders[column] = hierarchy_of(job.hierarchy[column], table.frame[column], column)
        elif column in table.hierarchies:
            ladders[column] = table.hierarchies[column]
    return table.with_hierarchies(ladders)


def ladders_of(
    table: Table, job: TableRequest, columns: Sequence[str], class_column: str | None = None
) -> dict[str, Hierarchy]:
    """A hierarchy for every column: given, else the table's own, else suggested from the data."""
    if class_column is not None and class_column not in table.columns:
        raise BadParameter(f"no class column '{class_column}'; the table has {', '.join(table.columns)}")
    target = None if class_column is None else table.frame[class_column]
    ladders = {}
    for column in columns:
        series = _every_value(table, column) if target is None else table.frame[column]
        spec = job.hierarchy.get(column, table.hierarchies.get(column))
        if spec is None:
            ladders[column] = suggest(series, column).hierarchy
        else:
            ladders[column] = hierarchy_of(spec, series, column, target)
    return ladders


def _every_value(table: Table, column: str) -> pl.Series:
    """The values that a ladder must know: those of the population too."""
    own, people = table.frame[column], table.population
    return own if people is None else pl.concat([texts(own), texts(people[column])])


def given_ladders(job: TableRequest, table: Table, source: pl.DataFrame | None) -> dict[str, Hierarchy]:
    """Ladders from the raw values of another table to the labels of this one.

    Where none is given the suggested one will do, if it knows the labels.
    """
    found: dict[str, Hierarchy] = {}
    if source is None:
        return found
    for column in table.quasi:
        if column not in source.columns:
            continue
        if column in job.hierarchy:
            found[column] = hierarchy_of(job.hierarchy[column], source[column], column)
        elif column in table.hierarchies:
            found[column] = table.hierarchies[column]
        else:
            ladder = suggest(source[column], column).hierarchy
            if level_of(ladder, table.frame[column]):
                found[column] = ladder
    return found


def check_size(model: TableModel, table: Table) -> None:
    """Refuse at once a class size that the table can never reach."""
    if model.people > table.rows:
        raise BadParameter(
            f"k={model.people} is larger than the table, which has {table.rows:,} rows; choose a smaller k"
        )


def check_values(model: TableModel, table: Table) -> None:
    """Refuse to protect values that nobody has: a slip of the pen would leave the real ones open."""
    columns = [model.column] if model.column else table.sensitive
    for parameter, values in model.named_values.items():
        for value in values:
            known = [text for column in columns for text in texts(table.frame[column]).unique().sort()]
            if value not in known:
                some = ", ".join(map(str, known[:5])) + (", …" if len(known) > 5 else "")
                raise BadParameter(
                    f"{model.name} names the value '{value}' in {parameter}, which {listed(columns)} "
                    f"does not have; it has {some}"
                )


def check_fits(model: TableModel, table: Table) -> None:
    """Refuse at once a question about columns that are not there."""
    if model.reads != "sizes":
        column = model.column
        # A model that counts people needs no secret of theirs.
        counts_others = bool(model.held) and bool(model.together(()))
        if not table.sensitive and not counts_others:
            raise BadParameter(f"{model.name} needs a sensitive column; name one with --sensitive")
        if column is not None and column not in table.sensitive:
            raise BadParameter(
                f"{model.name} names '{column}', which is not sensitive here; sensitive is "
                + ", ".join(table.sensitive)
            )


def advice(table: Table) -> str:
    found = inspect(table).columns
    quasi = [column for column, report in found.items() if report.role == "quasi"]
    sensitive = [column for column, report in found.items() if report.role == "sensitive"]
    if not quasi:
        return f"choose with --quasi from {', '.join(table.columns)}"
    advice = f"the columns suggest --quasi {listed(quasi)}"
    return advice + (f" --sensitive {listed(sensitive)}" if sensitive else "")
