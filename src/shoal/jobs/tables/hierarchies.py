"""The hierarchies of a request: those that were given, and suggested ones for the other columns."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.core.errors import BadParameter
from shoal.jobs.tables.requests import ProtectTable, TableRequest
from shoal.tables.appraisal.comparison import level_of
from shoal.tables.hierarchies import Hierarchy, hierarchy_of, suggest
from shoal.tables.seen.values import texts
from shoal.tables.table import Table


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
