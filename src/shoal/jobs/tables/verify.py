"""Carry out `verify`: whether a release keeps its promises, from its files alone."""

from __future__ import annotations

from dataclasses import replace

from shoal import catalog, verbs
from shoal.core.errors import BadParameter
from shoal.core.outcome import Promise, Verdict
from shoal.jobs.parsing import listed
from shoal.jobs.records import changed, untold
from shoal.jobs.tables.checks import check_fits
from shoal.jobs.tables.linked_tables import population_seen
from shoal.jobs.tables.recorded import contradicted
from shoal.jobs.tables.requests import (
    VerifyTable,
)
from shoal.jobs.tables.source import manifest_of, models_of, read_table, with_roles
from shoal.jobs.tables.steps import kept_on_record
from shoal.tables.hierarchies import of_released
from shoal.tables.manifest import Manifest, widened
from shoal.tables.seen.classes import Classes
from shoal.tables.seen.domains import Domain, compared, joint_domains
from shoal.tables.table import Table


def verify_table(job: VerifyTable) -> Verdict:
    """Whether a release keeps its promises, from its files alone."""
    table, manifest = read_table(job), manifest_of(job)
    models = models_of(job.model, job.k)
    notes = []
    if manifest is None:
        notes.append("no manifest beside the file: checked by the flags, against the released table itself")
    if not models and manifest is not None:
        models = [catalog.make("model", text) for text in manifest.models]
    if not models:
        raise BadParameter('no promise to verify; give --model "k-anonymity(k=5)" or keep the manifest')
    table = population_seen(with_roles(table, job, manifest), job, manifest)
    for model in models:
        check_fits(model, table)
    there = {*table.columns, *(table.held.columns if table.held is not None else ())}
    vouched = manifest is not None and bool(manifest.guarantees) and not changed(job.data, manifest.output)
    models, unknown_to_all, why = untold(
        models,
        lambda _: vouched,
        "rows",
        lambda model: next((column for column in model.held if column not in there), ""),
    )
    notes += why
    domains = dict(manifest.domains) if manifest else {}
    for column, spec in job.hierarchy.items():
        if column in table.sensitive and column not in domains:
            domains[column] = Domain.of(table.frame, column, of_released(spec, table.frame[column], column))
    unknown = [column for column in compared(models, table.sensitive) if column not in domains]
    if manifest is not None and unknown:
        notes.append(f"the manifest has no distribution of {listed(unknown)}: the released one is used")
    domains = {column: widened(domain, table) for column, domain in domains.items()}
    domains = {**joint_domains(table, models), **domains}
    seen = replace(Classes.of(table, domains), guarantees=manifest.guarantees if manifest else {})
    verdict = verbs.verify(seen, models, notes)
    verdict = replace(verdict, promises=(*verdict.promises, *unknown_to_all))
    return _with_record(verdict, table, job, manifest)


def _with_record(verdict: Verdict, table: Table, job: VerifyTable, manifest: Manifest | None) -> Verdict:
    """The verdict with what the record adds: what came back into the file, and whether it was changed."""
    promises, notes = list(verdict.promises), list(verdict.notes)
    removed = (*job.identifier, *(manifest.identifier if manifest else ()))
    pseudonyms = kept_on_record(manifest.steps) if manifest else set()
    back = [name for name in dict.fromkeys(removed) if name in table.columns and name not in pseudonyms]
    if back:
        promises.append(Promise("no-identifiers", None, False, f"no-identifiers({listed(back)} is there)"))
    if manifest is not None:
        promises += contradicted(manifest, table)
    if manifest is not None and changed(job.data, manifest.output):
        notes.append("the file is not the one the manifest was written for: its fingerprint differs")
    return Verdict(tuple(promises), tuple(notes))
