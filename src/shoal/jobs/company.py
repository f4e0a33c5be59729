"""What a request needs besides its table.

Joined tables, a population, columns that stay in the house, and methods whose promise no rows can show.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import Promise
from shoal.core.spelling import spell
from shoal.engines.local import fingerprint
from shoal.jobs.settle import frame_of, given_ladders
from shoal.jobs.tables import ProtectTable, TableRequest, VerifyTable
from shoal.jobs.words import listed, path_in
from shoal.tables.comparison import in_population, refuse_lost_columns
from shoal.tables.evidence import as_released
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableModel
from shoal.tables.table import Table
from shoal.tables.values import texts


def joined(table: Table, job: ProtectTable) -> Table:
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


def kept_inside(
    table: Table, job: ProtectTable, models: Sequence[TableModel], kept: Collection[str]
) -> tuple[Table, list[str]]:
    """The table with what models count but nobody may see among the identifiers, which are not released."""
    notes = []
    for model in models:
        for column in model.held:
            role = table.role(column)
            if column in kept or role == "identifier":
                continue
            if role != "insensitive" or column in job.insensitive:
                raise BadParameter(
                    f"{model.name} counts '{column}', which must not be released as it is, and here it is "
                    f"{role}; declare it --identifier {listed([column])}"
                )
            notes.append(f"removed '{column}': {model.name} counts it, and nobody else should")
            table = table.with_roles((*table.identifier, column), table.quasi, table.sensitive)
    if job.join and not any(job.person in model.held for model in models):
        notes.append(
            "after a join a person has several rows, and no model here counts people; "
            f'ask for "multir-k-anonymity(k=…,person={job.person})"'
        )
    return table, notes


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
    people = frame_of(job.population, job)
    refuse_lost_columns(table, people)
    ladders, levels = given_ladders(job, table, people), (manifest.levels if manifest else None) or {}
    people = pl.DataFrame(
        [
            as_released(people[column], table.frame[column], ladders.get(column), levels.get(column))
            for column in table.quasi
        ]
    )
    in_population(table, people, ", with the --hierarchy of each column")
    return replace(table, population=people)


def check_mechanism(method: Any, models: Sequence[TableModel], job: ProtectTable) -> None:
    """Refuse a promise that the method cannot make, and a domain that was taken from the data."""
    for model in models:
        if model.mechanisms and method.name not in model.mechanisms:
            raise BadParameter(
                f"{model.name} is a promise of a method, not of rows, and {method.name} does not make it; "
                f"use --method {' or '.join(model.mechanisms)}"
            )
    if not method.declared:
        return
    if job.seed is not None:
        raise BadParameter(f"{method.name} takes no seed: whoever knows it could take the noise away again")
    if job.step or job.join:
        # One row more could change many of what a step or a join makes of them, and the noise hides one.
        raise BadParameter(
            f"{method.name} hides one row of the table it is given; leave out --step and --join, which may "
            "make several of one"
        )
    if job.population is not None:
        # Whether everybody is in the population is looked up row by row, and a refusal would tell.
        raise BadParameter(f"{method.name} has no use for a population; leave out --population")
    roles = job.data if isinstance(job.data, Table) else None
    own: Mapping[str, Any] = roles.hierarchies if roles else {}
    columns = (
        *(job.quasi or (roles.quasi if roles else ())),
        *(job.sensitive or (roles.sensitive if roles else ())),
    )
    for column in columns:
        spec = job.hierarchy.get(column, own.get(column))
        # A file of parents will do: it is read without looking at the rows.
        if spec is None or (isinstance(spec, str) and path_in(spec) is None):
            raise BadParameter(
                f"{method.name} needs to know what '{column}' could be without looking at the data; "
                f"give --hierarchy {column}=FILE.csv with a line for every value that is possible"
            )


def untold(
    models: Sequence[TableModel], table: Table, job: TableRequest, manifest: Manifest | None
) -> tuple[list[TableModel], list[Promise], list[str]]:
    """The models that a file can be checked for, the promises of the others, and why."""
    told: list[TableModel] = []
    promises: list[Promise] = []
    notes: list[str] = []
    there = {*table.columns, *(table.held.columns if table.held is not None else ())}
    for model in models:
        lost = [column for column in model.held if column not in there]
        if lost:
            notes.append(
                f"{model.name} cannot be checked from the file: it counts '{lost[0]}', which was not released"
            )
        elif not model.mechanisms:
            told.append(model)
            continue
        elif manifest is None or not manifest.guarantees or _changed(job, manifest):
            notes.append(
                f"{model.name} is a promise of the method that made a release; without its manifest, or with "
                "rows changed since, nobody can tell whether it holds"
            )
        else:
            told.append(model)
            notes.append(
                f"{model.name} is a promise of the method; no file can prove it, the level is the manifest's"
            )
            continue
        promises.append(Promise(model.name, None, None, spell(model)))
    return told, promises, notes


def _changed(job: TableRequest, manifest: Manifest) -> bool:
    on_disk = isinstance(job.data, str | Path) and manifest.output is not None
    return on_disk and fingerprint(job.data) != manifest.output
