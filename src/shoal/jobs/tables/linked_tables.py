"""What a request needs besides its table.

Joined tables, a population, columns that stay in the house, and methods whose promise no rows can show.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import polars as pl

from shoal.core.errors import BadParameter
from shoal.jobs.parsing import listed
from shoal.jobs.tables.hierarchies import given_ladders
from shoal.jobs.tables.requests import ProtectTable, VerifyTable
from shoal.jobs.tables.source import frame_of
from shoal.tables.appraisal.comparison import in_population, refuse_lost_columns
from shoal.tables.appraisal.evidence import as_released
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableModel
from shoal.tables.seen.values import texts
from shoal.tables.table import Table


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
