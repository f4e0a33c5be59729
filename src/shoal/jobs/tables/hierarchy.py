"""Carry out `hierarchy`: the hierarchy of one column, shown, checked or exported."""

from __future__ import annotations

from shoal.core.errors import BadParameter
from shoal.jobs.tables.requests import (
    HierarchyTable,
)
from shoal.jobs.tables.source import read_table
from shoal.tables.hierarchies import Suggestion, hierarchy_of, suggest, write_hierarchy
from shoal.tables.hierarchies.spec import path_in


def hierarchy_table(job: HierarchyTable) -> Suggestion:
    """The hierarchy of one column, written as CSV when an output is named."""
    from shoal.engines.atomic_write import check_place

    if str(job.output) == "-":
        raise BadParameter("-o takes a file here; --json prints the whole hierarchy on standard output")
    if job.output is not None:
        check_place(job.output, [job.data, *map(path_in, job.hierarchy.values())])
    table = read_table(job)
    if job.column not in table.columns:
        raise BadParameter(f"no column '{job.column}'; the table has {', '.join(table.columns)}")
    series = table.frame[job.column]
    spec = job.hierarchy.get(job.column)
    found = (
        suggest(series, job.column)
        if spec is None
        else Suggestion(hierarchy_of(spec, series, job.column), "as given")
    )
    if job.output is not None:
        write_hierarchy(found.hierarchy, job.output)
    return found
