"""Settle a request before anything is computed: read the data, give every column a role and a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal import catalog
from shoal.core.contract import Model
from shoal.core.errors import BadParameter
from shoal.engines.local import read_frame, to_frame
from shoal.jobs.tables import ProtectTable, TableRequest
from shoal.tables.classes import Classes
from shoal.tables.discovery import inspect
from shoal.tables.hierarchies import Hierarchy, hierarchy_of, suggest
from shoal.tables.manifest import Manifest, beside
from shoal.tables.table import Table

TableModel = Model[Classes]


def models_of(given: Sequence[Any], k: int | None) -> list[TableModel]:
    """Models from spellings or objects; `k` is short for k-anonymity."""
    texts = [given] if isinstance(given, str) else given
    models: list[TableModel] = [
        catalog.make("model", model) if isinstance(model, str) else model for model in texts
    ]
    if k is not None:
        models.insert(0, catalog.make("model", f"k-anonymity(k={k})"))
    return models


def frame_of(source: Any, job: TableRequest) -> pl.DataFrame:
    """A frame from whatever names one."""
    if isinstance(source, Table):
        return source.frame
    if isinstance(source, str | Path):
        return read_frame(source, job.separator, job.encoding)
    return to_frame(source)


def read_table(job: TableRequest) -> Table:
    if isinstance(job.data, Table):
        return job.data
    return Table(frame_of(job.data, job))


def manifest_of(job: TableRequest) -> Manifest | None:
    if not isinstance(job.data, str | Path) or str(job.data) == "-":
        return None
    path = beside(job.data)
    return Manifest.read(path) if path.exists() else None


def with_roles(table: Table, job: TableRequest, manifest: Manifest | None) -> Table:
    """Roles from the flags, else from the manifest, else those the table came with."""
    quasi, sensitive = job.quasi or table.quasi, job.sensitive or table.sensitive
    if manifest is not None:
        quasi, sensitive = quasi or manifest.quasi, sensitive or manifest.sensitive
    return table.with_roles(job.identifier or table.identifier, quasi, sensitive, job.insensitive)


def settled(table: Table, job: ProtectTable) -> tuple[Table, list[str]]:
    """Roles and ladders for a release; columns nobody spoke of are looked at first."""
    table = table.with_roles(
        job.identifier or table.identifier,
        job.quasi or table.quasi,
        job.sensitive or table.sensitive,
        job.insensitive,
    )
    notes: list[str] = []
    silent = [column for column in table.insensitive if column not in job.insensitive]
    if silent:
        found = inspect(Table(table.frame.select(silent))).columns
        direct = tuple(column for column in silent if found[column].role == "identifier")
        for column in silent:
            report = found[column]
            if column in direct:
                notes.append(
                    f"removed '{column}', which has no role: {report.reason}; --insensitive {column} keeps it"
                )
            elif report.role != "insensitive":
                notes.append(
                    f"kept '{column}' as it is, but it may be {_ROLE_WORDS[report.role]}: {report.reason}; "
                    f"say --{report.role} {column} or --insensitive {column}"
                )
        table = table.with_roles((*table.identifier, *direct), table.quasi, table.sensitive)
    strangers = [column for column in job.hierarchy if column not in (*table.quasi, *table.sensitive)]
    if strangers:
        raise BadParameter(
            f"there is a hierarchy for '{strangers[0]}', which is neither quasi-identifier nor sensitive; "
            f"the quasi-identifiers are {', '.join(table.quasi)}"
        )
    ladders = ladders_of(table, job, table.quasi, job.class_column)
    for column in table.sensitive:
        if column in job.hierarchy:
            ladders[column] = hierarchy_of(job.hierarchy[column], table.frame[column], column)
        elif column in table.hierarchies:
            ladders[column] = table.hierarchies[column]
    return table.with_hierarchies(ladders), notes


_ROLE_WORDS = {"quasi": "a quasi-identifier", "sensitive": "sensitive"}


def ladders_of(
    table: Table, job: TableRequest, columns: Sequence[str], class_column: str | None = None
) -> dict[str, Hierarchy]:
    """A hierarchy for every column: given, else the table's own, else suggested from the data."""
    if class_column is not None and class_column not in table.columns:
        raise BadParameter(f"no class column '{class_column}'; the table has {', '.join(table.columns)}")
    target = None if class_column is None else table.frame[class_column]
    ladders = {}
    for column in columns:
        series = table.frame[column]
        spec = job.hierarchy.get(column, table.hierarchies.get(column))
        if spec is None:
            ladders[column] = suggest(series, column).hierarchy
        else:
            ladders[column] = hierarchy_of(spec, series, column, target)
    return ladders


def check_fits(model: TableModel, table: Table) -> None:
    """Refuse at once what the table can never answer."""
    k = getattr(model, "k", None)
    if isinstance(k, int) and k > table.rows:
        raise BadParameter(
            f"k={k} is larger than the table, which has {table.rows:,} rows; choose a smaller k"
        )
    if model.reads == "values":
        column = getattr(model, "column", None)
        if not table.sensitive:
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
    advice = f"the columns suggest --quasi {','.join(quasi)}"
    return advice + (f" --sensitive {','.join(sensitive)}" if sensitive else "")
