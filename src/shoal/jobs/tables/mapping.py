"""Carry out `mapping`: which value became which label, as a file, and whether it may be published."""

from __future__ import annotations

from dataclasses import replace

from shoal.core.errors import BadParameter
from shoal.engines.atomic_write import check_place
from shoal.engines.files import write_text
from shoal.jobs.tables.diff import levels_of, read_original
from shoal.jobs.tables.owner_requests import MappingTable
from shoal.jobs.tables.source import hierarchies_of, manifest_of, read_table, with_roles
from shoal.tables.appraisal.value_mapping import ColumnMapping, ValueMapping
from shoal.tables.hierarchies import hierarchy_of
from shoal.tables.hierarchies.spec import declares, path_in
from shoal.tables.model_inputs.text_values import texts


def mapping_table(job: MappingTable) -> ValueMapping:
    """The mapping of a release; what a file declares is read from the file, without looking at a row."""
    if str(job.output) == "-":
        raise BadParameter("-o takes a file here; --json prints the whole mapping on standard output")
    if job.output is not None:
        check_place(job.output, [job.data, job.original, *map(path_in, job.hierarchy.values())])
    manifest = manifest_of(job)
    levels = levels_of(manifest)
    released = with_roles(read_table(job), job, manifest)
    declared = [column for column in levels if declares(job.hierarchy.get(column))]
    rest = [column for column in levels if column not in declared]
    if rest and job.original is None and not job.publishable:
        raise BadParameter(
            f"no file declares the values of '{rest[0]}'; give --hierarchy {rest[0]}=FILE.csv, or "
            "--original FILE to take them from the data"
        )
    original = None if job.original is None else read_original(job, released)
    found = hierarchies_of(original, job, rest) if original is not None and rest else {}
    columns = []
    for column, level in levels.items():
        values = None if original is None else texts(original.frame[column]).unique()
        if column in declared:
            hierarchy = hierarchy_of(job.hierarchy[column], released.frame[column].clear(), column)
            same = values is not None and set(hierarchy.leaves) == set(values.to_list())
            columns.append(ColumnMapping.of(column, hierarchy, level, True, same))
        elif column in found:
            columns.append(ColumnMapping.of(column, found[column], level, False, False))
    mapping = ValueMapping(tuple(columns))
    if job.publishable:
        mapping = replace(mapping, columns=tuple(one for one in columns if one.publishable))
    if job.output is not None:
        write_text(mapping.to_csv(), job.output)
    return mapping
