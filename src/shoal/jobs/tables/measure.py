"""Carry out `measure`: find the roles, the hierarchies and whatever the table is measured against."""

from __future__ import annotations

from dataclasses import replace

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.measure_results import Figures
from shoal.core.part_syntax import spell
from shoal.engines.address import address_of
from shoal.jobs.tables.requests import MeasureTable
from shoal.jobs.tables.source import (
    frame_of,
    hierarchies_between,
    hierarchies_of,
    manifest_of,
    read_table,
    with_roles,
)
from shoal.tables.appraisal.appraisal import PLACED, Appraisal, appraise_evidence
from shoal.tables.appraisal.losses import largest_k
from shoal.tables.appraisal.measure_inputs import Evidence
from shoal.tables.appraisal.usefulness import usefulness
from shoal.tables.attacker_reasoning.manifest_clues import rows_made_up
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.manifest import Manifest
from shoal.tables.measures.loss import Loss
from shoal.tables.table import Table


def measure_table(job: MeasureTable) -> Appraisal | Figures:
    """All figures of a table, or the measures that were named."""
    return _measure_by_name(job) if job.only else appraise_table(job)


def appraise_table(job: MeasureTable, manifest: Manifest | None = None) -> Appraisal:
    """Risk of a table, and what was lost against its original, with the record of a table in memory."""
    manifest = manifest_of(job) or manifest
    evidence = _evidence(job, manifest)
    found = appraise_evidence(
        evidence,
        _k(job, manifest),
        threshold=job.threshold,
        combinations=job.combinations,
        safe_harbor=job.safe_harbor,
        further=catalog.without_parameters("measure", "table", PLACED),
    )
    if evidence.original is None:
        return found
    figures = dict(found.losses or {})
    if job.weight:
        figures["weighted_loss"] = Loss(_weights(job, evidence.table)).measure(evidence.recoding)
    if evidence.table.weights is not None or evidence.original.weights is not None:
        return replace(found, losses=figures)  # what a release is good for is judged row by row
    useful = usefulness(evidence.original.frame, evidence.table, evidence.hierarchies, job.class_column)
    return replace(found, losses=figures, usefulness=useful)


def _measure_by_name(job: MeasureTable) -> Figures:
    """The measures that were named; what the request says goes where their spelling leaves it open."""
    manifest = manifest_of(job)
    evidence = _evidence(job, manifest)
    asked = {"k": _k(job, manifest), "threshold": job.threshold, "largest": job.combinations}
    found = {}
    for named in job.only:
        ruler = catalog.part_of("measure", named, "table", **asked)
        found[spell(ruler)] = (ruler, evidence.measured(ruler))
    return Figures.of(found)


def _k(job: MeasureTable, manifest: Manifest | None) -> int:
    """The k that class sizes are measured in."""
    if job.k is not None:
        return job.k
    return largest_k([catalog.make("model", text) for text in manifest.models]) if manifest else 1


def _evidence(job: MeasureTable, manifest: Manifest | None) -> Evidence:
    """The table, and whatever it is measured against."""
    if job.original is None and (job.weight or job.class_column is not None):
        flag = "weight" if job.weight else "class-column"
        raise BadParameter(f"--{flag} is about what was lost; give --original FILE too")
    table = _table(job, manifest)
    original = population = None
    hierarchies: dict[str, Hierarchy] = {}
    if job.original is not None and address_of(job.original) is not None:
        from shoal.jobs.tables.engine_source import read_counted

        original = read_counted(job.original, lambda sample: sample.with_roles(quasi=table.quasi), list)
        original = replace(original, hierarchies=table.hierarchies)
        hierarchies = hierarchies_of(original, job, table.quasi)
    elif job.original is not None:
        frame = frame_of(job.original, job)
        lost = [column for column in table.quasi if column not in frame.columns]
        if lost:
            raise BadParameter(f"the original has no column '{lost[0]}'; it has {', '.join(frame.columns)}")
        original = Table(frame, quasi=table.quasi, hierarchies=table.hierarchies)
        hierarchies = hierarchies_of(original, job, table.quasi)
    if job.population is not None:
        population = frame_of(job.population, job)
    return Evidence(
        table,
        original,
        population,
        hierarchies,
        None if manifest is None else manifest.levels or {},
        {**hierarchies, **hierarchies_between(job, table, population)},
        job.population_size,
        job.sampling_fraction,
        job.class_column,
        manifest is not None and rows_made_up(manifest.method),
    )


def _table(job: MeasureTable, manifest: Manifest | None) -> Table:
    """The table with its roles; of one in an engine, grouped over there, what is counted."""
    if address_of(job.data) is None:
        return with_roles(read_table(job), job, manifest)
    from shoal.jobs.tables.engine_source import read_counted, refuse_in_engine

    export = "export the table"
    refuse_in_engine(job, population=export, safe_harbor=export, class_column=export)
    return read_counted(job.data, lambda sample: with_roles(sample, job, manifest), list)


def _weights(job: MeasureTable, table: Table) -> tuple[float, ...]:
    """The weight of every quasi-identifier, 1 where none is given."""
    for column in job.weight:
        if column not in table.quasi:
            raise BadParameter(
                f"there is a weight for '{column}', which is no quasi-identifier; those are "
                + ", ".join(table.quasi)
            )
    return tuple(float(job.weight.get(column, 1.0)) for column in table.quasi)
