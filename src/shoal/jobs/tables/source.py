"""Settle a request before anything is computed: read the data, give every column a role and a ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.formulas import unescaped
from shoal.engines.local import read_frame, to_frame
from shoal.jobs import parts
from shoal.jobs.parsing import listed
from shoal.jobs.records import record_beside
from shoal.jobs.tables.requests import AttackTable, MeasureTable, TableRequest, VerifyTable
from shoal.tables.discovery.discovery import inspect
from shoal.tables.manifest import Manifest, beside
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table


def models_of(given: Any, k: int | None) -> list[TableModel]:
    """Models from spellings or objects; `k` is short for k-anonymity."""
    return parts.models_of(given, k, "table", KAnonymity)


def frame_of(source: Any, job: TableRequest, private: bool = False) -> pl.DataFrame:
    """A frame from whatever names one; `private` as in `read_frame`."""
    if isinstance(source, Table):
        return source.frame
    if isinstance(source, str | Path):
        frame = read_frame(source, job.separator, job.encoding, private=private)
    else:
        frame = to_frame(source)
    for name in frame.columns:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            # Polars takes such a name for a pattern, and would read other columns in its place.
            raise BadTable(f"the column name '{name}' is a pattern that stands for others; rename it")
    # Polars has no plain text of a length of time; ISO 8601 has.
    return frame.with_columns(selectors.duration().dt.to_string("iso"))


def read_table(job: TableRequest, private: bool = False) -> Table:
    if isinstance(job.data, Table):
        return job.data
    if isinstance(job.data, TableRelease):
        return job.data.known_here()
    frame = frame_of(job.data, job, private)
    if (
        isinstance(job, VerifyTable | MeasureTable | AttackTable)
        and (manifest := manifest_of(job)) is not None
        and manifest.escaped
    ):
        frame = unescaped(frame)
    return Table(frame)


def manifest_of(job: TableRequest) -> Manifest | None:
    """The record beside a release, where there is one."""
    if isinstance(job.data, TableRelease):
        return Manifest.of(job.data)
    return record_beside(job.data, Manifest.read, beside)


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


def advice(table: Table) -> str:
    found = inspect(table).columns
    quasi = [column for column, report in found.items() if report.role == "quasi"]
    sensitive = [column for column, report in found.items() if report.role == "sensitive"]
    if not quasi:
        return f"choose with --quasi from {', '.join(table.columns)}"
    advice = f"the columns suggest --quasi {listed(quasi)}"
    return advice + (f" --sensitive {listed(sensitive)}" if sensitive else "")
