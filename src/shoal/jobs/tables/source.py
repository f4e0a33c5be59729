"""Settle a request before anything is computed: read the data, give every column a role and a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors

from shoal import catalog
from shoal.core.cache import remembered
from shoal.core.errors import BadParameter, BadTable
from shoal.core.part_syntax import join_columns, spell
from shoal.engines.address import address_of
from shoal.engines.files import read_frame, to_frame
from shoal.engines.formula_escaping import unescape_formulas
from shoal.jobs.tables.requests import (
    AttackTable,
    MeasureTable,
    ProtectTable,
    RecordedTable,
    TableRequest,
    VerifyTable,
)
from shoal.tables.appraisal.comparison import in_population, level_of, refuse_lost_columns
from shoal.tables.hierarchies import Hierarchy, hierarchy_of, suggest
from shoal.tables.manifest import Manifest, beside
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.multir_k_anonymity import MultirKAnonymity
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table


def models_of(given: Any, k: int | None) -> list[TableModel]:
    """Models from spellings or objects; `k` is short for k-anonymity."""
    return [*([] if k is None else [KAnonymity(k)]), *catalog.parts_of("model", given, "table")]


def frame_of(source: Any, job: TableRequest, private: bool = False) -> pl.DataFrame:
    """A frame from whatever names one; `private` as in `read_frame`."""
    if isinstance(source, Table):
        return source.frame
    if isinstance(source, str | Path):
        frame = _read(str(source), job.separator, job.encoding, private)
    else:
        frame = to_frame(source)
    for name in frame.columns:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            # Polars takes such a name for a pattern, and would read other columns in its place.
            raise BadTable(f"the column name '{name}' is a pattern that stands for others; rename it")
    # Polars has no plain text of a length of time; ISO 8601 has.
    return frame.with_columns(selectors.duration().dt.to_string("iso"))


@remembered  # a report asks for the same file several times, and all that it tells is about one state of it
def _read(path: str, separator: str | None, encoding: str | None, private: bool) -> pl.DataFrame:
    return read_frame(path, separator, encoding, private=private)


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
        frame = unescape_formulas(frame)
    return Table(frame)


def manifest_of(job: TableRequest) -> Manifest | None:
    """The record beside a release, where there is one."""
    if isinstance(job.data, TableRelease):
        return Manifest.of(job.data)
    if isinstance(job, RecordedTable) and job.manifest is not None:
        return _read_manifest(str(job.manifest))
    if address_of(job.data) is not None:
        from shoal.jobs.tables.engine_source import record_in_engine

        return record_in_engine(job.data)
    filed = isinstance(job.data, str | Path) and str(job.data) != "-"
    return _read_manifest(str(beside(job.data))) if filed and beside(job.data).exists() else None


@remembered
def _read_manifest(path: str) -> Manifest:
    return Manifest.read(Path(path))


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
    # Here, because vocabularies take their time and a table with roles does not need them.
    from shoal.tables.discovery.discovery import inspect

    found = inspect(table).columns
    quasi = [column for column, report in found.items() if report.role == "quasi"]
    sensitive = [column for column, report in found.items() if report.role == "sensitive"]
    if not quasi:
        return f"choose with --quasi from {', '.join(table.columns)}"
    advice = f"the columns suggest --quasi {join_columns(quasi)}"
    return advice + (f" --sensitive {join_columns(sensitive)}" if sensitive else "")


def with_hierarchies(table: Table, job: ProtectTable, blind: bool = False) -> Table:
    """A hierarchy for every quasi-identifier, and for sensitive columns where one is given.

    With `blind` every column has a hierarchy given, and no row is looked at: neither a label nor an error may
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
    hierarchies = hierarchies_of(table, job, table.quasi, job.class_column)
    for column in table.sensitive:
        if column in job.hierarchy:
            hierarchies[column] = hierarchy_of(job.hierarchy[column], table.frame[column], column)
        elif column in table.hierarchies:
            hierarchies[column] = table.hierarchies[column]
    return table.with_hierarchies(hierarchies)


def hierarchies_of(
    table: Table, job: TableRequest, columns: Sequence[str], class_column: str | None = None
) -> dict[str, Hierarchy]:
    """A hierarchy for every column: given, else the table's own, else suggested from the data."""
    if class_column is not None and class_column not in table.columns:
        raise BadParameter(f"no class column '{class_column}'; the table has {', '.join(table.columns)}")
    target = None if class_column is None else table.frame[class_column]
    hierarchies = {}
    for column in columns:
        series = _every_value(table, column) if target is None else table.frame[column]
        spec = job.hierarchy.get(column, table.hierarchies.get(column))
        if spec is None:
            hierarchies[column] = suggest(series, column).hierarchy
        else:
            hierarchies[column] = hierarchy_of(spec, series, column, target)
    return hierarchies


def _every_value(table: Table, column: str) -> pl.Series:
    """The values that a hierarchy must know: those of the population too."""
    own, people = table.frame[column], table.population
    return own if people is None else pl.concat([texts(own), texts(people[column])])


def hierarchies_between(job: TableRequest, table: Table, source: pl.DataFrame | None) -> dict[str, Hierarchy]:
    """Hierarchies from the raw values of another table to the labels of this one.

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
            hierarchy = suggest(source[column], column).hierarchy
            if level_of(hierarchy, table.frame[column]):
                found[column] = hierarchy
    return found


def rows_not_people(table: Table, models: Sequence[TableModel]) -> list[str]:
    """A remark where a removed column stands for one person in several rows, and no model counts people."""
    if any(model.counts_people for model in models):
        return []
    again = [name for name in table.identifier if 2 * texts(table.frame[name]).n_unique() <= table.rows + 1]
    if not again:
        return []
    from shoal.tables.discovery.discovery import look_at

    keys = [name for name, report in look_at(Table(table.frame.select(again))).items() if report.key]
    return [
        f"'{name}' stands for one person in several rows, and the promise counts rows, not people; "
        f'add --model "{spell(MultirKAnonymity(5, name))}"'
        for name in keys[:1]
    ]


def with_population(table: Table, job: ProtectTable) -> Table:
    """The table with the people it was drawn from, who must all be there."""
    if job.population is None:
        return table
    people = frame_of(job.population, job)
    refuse_lost_columns(table, people)
    in_population(table, [people[column] for column in table.quasi])
    return replace(table, population=people)


def population_seen(table: Table, job: VerifyTable, manifest: Manifest | None) -> Table:
    """A released table with its population in the labels of the release."""
    if job.population is None:
        return table
    from shoal.tables.appraisal.measure_inputs import as_released  # all measures, which few releases need

    people = frame_of(job.population, job)
    refuse_lost_columns(table, people)
    hierarchies, levels = (
        hierarchies_between(job, table, people),
        (manifest.levels if manifest else None) or {},
    )
    people = pl.DataFrame(
        [
            as_released(people[column], table.frame[column], hierarchies.get(column), levels.get(column))
            for column in table.quasi
        ]
    )
    in_population(table, people, ", with the --hierarchy of each column")
    return replace(table, population=people)


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


def join_tables(table: Table, job: ProtectTable) -> Table:
    """The table with those of `--join` beside it, row by row, wherever they speak of the same person."""
    if not job.join:
        return table
    if job.person is None:
        raise BadParameter("--join needs to know who is who; name the person key with --person COLUMN")
    frame = table.frame
    for source in job.join:
        other = frame_of(source, job)
        for side in (frame, other):
            if job.person not in side.columns:
                raise BadParameter(f"no column '{job.person}' to join by; there is {', '.join(side.columns)}")
        both = [name for name in other.columns if name in frame.columns and name != job.person]
        if both:
            raise BadParameter(f"'{both[0]}' is in both of the joined tables; rename it in one of them")
        # A missing key names nobody, so it joins nobody.
        keys = [texts(side[job.person]) for side in (frame, other)]
        frame = frame.with_columns(keys[0]).join(other.with_columns(keys[1]), on=job.person, how="inner")
    if not frame.height:
        raise BadParameter(f"no person is in all of the joined tables; is '{job.person}' the person key?")
    return table.with_frame(frame)
