"""Carry out `measure`: find the roles, the ladders and whatever the table is measured against."""

from __future__ import annotations

from dataclasses import replace

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.jobs.settle import frame_of, given_ladders, ladders_of, manifest_of, read_table, with_roles
from shoal.jobs.tables import MeasureTable
from shoal.tables.appraisal import Appraisal, appraise
from shoal.tables.comparison import recoding_between
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.losses import largest_k
from shoal.tables.measures.loss import Loss
from shoal.tables.table import Table
from shoal.tables.usefulness import usefulness


def measure_table(job: MeasureTable) -> Appraisal:
    """Risk of a table, and what was lost against its original."""
    if job.original is None and (job.weight or job.class_column is not None):
        flag = "weight" if job.weight else "class-column"
        raise BadParameter(f"--{flag} is about what was lost; give --original FILE too")
    manifest = manifest_of(job)
    table = with_roles(read_table(job), job, manifest)
    original = population = None
    ladders: dict[str, Hierarchy] = {}
    if job.original is not None:
        frame = frame_of(job.original, job)
        lost = [column for column in table.quasi if column not in frame.columns]
        if lost:
            raise BadParameter(f"the original has no column '{lost[0]}'; it has {', '.join(frame.columns)}")
        original = Table(frame, quasi=table.quasi, hierarchies=table.hierarchies)
        ladders = ladders_of(original, job, table.quasi)
    if job.population is not None:
        population = frame_of(job.population, job)
    k = job.k
    if k is None:
        k = largest_k([catalog.make("model", text) for text in manifest.models]) if manifest else 1
    levels = None if manifest is None else manifest.levels or {}
    people = {**ladders, **given_ladders(job, table, population)}
    found = appraise(
        table,
        original,
        population,
        ladders,
        k,
        levels,
        people,
        population_size=job.population_size,
        sampling_fraction=job.sampling_fraction,
        threshold=job.threshold,
        combinations=job.combinations,
        safe_harbor=job.safe_harbor,
    )
    if original is None:
        return found
    figures = dict(found.losses or {})
    if job.weight:
        recoding = recoding_between(original, table, ladders, levels)
        figures["weighted_loss"] = Loss(_weights(job, table)).measure(recoding)
    return replace(
        found, losses=figures, usefulness=usefulness(original.frame, table, ladders, job.class_column)
    )


def _weights(job: MeasureTable, table: Table) -> tuple[float, ...]:
    """The weight of every quasi-identifier, 1 where none is given."""
    for column in job.weight:
        if column not in table.quasi:
            raise BadParameter(
                f"there is a weight for '{column}', which is no quasi-identifier; those are "
                + ", ".join(table.quasi)
            )
    return tuple(float(job.weight.get(column, 1.0)) for column in table.quasi)
