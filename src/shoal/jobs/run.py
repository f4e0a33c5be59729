"""Carry out a request: read, settle roles and ladders, call the verb, write the outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoal import catalog, verbs
from shoal.core.contract import Watch
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Outcome, Promise, Verdict
from shoal.engines.local import fingerprint
from shoal.jobs.caution import cautioned, with_misread_labels
from shoal.jobs.company import (
    population_seen,
    untold,
)
from shoal.jobs.curing import with_cure_checked
from shoal.jobs.measuring import measure_table
from shoal.jobs.parts import given_part
from shoal.jobs.protecting import protect_table
from shoal.jobs.recorded import contradicted
from shoal.jobs.scenes import scene_of
from shoal.jobs.settle import (
    check_fits,
    manifest_of,
    models_of,
    read_table,
    with_roles,
)
from shoal.jobs.stepping import (
    kept_on_record,
)
from shoal.jobs.tables import (
    AttackTable,
    CompareTable,
    InspectTable,
    LadderOf,
    MeasureTable,
    ProtectTable,
    TableRequest,
    VerifyTable,
)
from shoal.jobs.words import listed, path_in
from shoal.tables.classes import Classes
from shoal.tables.discovery import Inspection, inspect
from shoal.tables.domains import Domain, compared, joint_domains
from shoal.tables.hierarchies import Suggestion, hierarchy_of, of_released, suggest, write_hierarchy
from shoal.tables.manifest import Manifest, widened
from shoal.tables.table import Table


def run(job: TableRequest, watch: Watch | None = None) -> Outcome:
    """The outcome of any request."""
    from shoal.jobs.comparing import compare_table

    actions: dict[type[TableRequest], Callable[[Any], Outcome]] = {
        InspectTable: inspect_table,
        ProtectTable: lambda job: protect_table(job, watch),
        CompareTable: compare_table,
        VerifyTable: verify_table,
        MeasureTable: measure_table,
        AttackTable: attack_table,
        LadderOf: ladder_of,
    }
    return actions[type(job)](job)


def inspect_table(job: InspectTable) -> Inspection:
    """Suggested roles and the riskiest combinations."""
    return inspect(read_table(job))


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
    models, unknown_to_all, why = untold(models, table, job, manifest)
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


def attack_table(job: AttackTable) -> Finding:
    """What one attacker achieves against a release, and whether the cure stops them."""
    attacker = given_part("attack", job.attack, "table")
    scene = scene_of(job, attacker)
    finding = with_cure_checked(verbs.attack(scene, attacker), attacker, scene)
    others = [manifest_of(replace(job, data=source)) for source in job.other]
    return with_misread_labels(cautioned(finding, scene.manifest, *others), scene)


def ladder_of(job: LadderOf) -> Suggestion:
    """The hierarchy of one column, written as CSV when an output is named."""
    from shoal.jobs.writing import check_place

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
    if manifest is not None and manifest.output is not None and fingerprint(job.data) != manifest.output:
        notes.append("the file is not the one the manifest was written for: its fingerprint differs")
    return Verdict(tuple(promises), tuple(notes))
