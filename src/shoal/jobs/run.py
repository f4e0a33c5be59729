"""Carry out a request: read, settle roles and ladders, call the verb, write the outcome."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shoal import catalog, verbs
from shoal.core.contract import Watch
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Outcome, Promise, Verdict
from shoal.engines.local import fingerprint
from shoal.jobs.settle import (
    advice,
    check_fits,
    frame_of,
    ladders_of,
    manifest_of,
    models_of,
    read_table,
    settled,
    with_roles,
)
from shoal.jobs.tables import (
    AttackTable,
    InspectTable,
    LadderOf,
    MeasureTable,
    ProtectTable,
    TableRequest,
    VerifyTable,
)
from shoal.tables.appraisal import Appraisal, appraise
from shoal.tables.classes import Classes, Domain
from shoal.tables.discovery import Inspection, inspect
from shoal.tables.hierarchies import Suggestion, hierarchy_of, suggest, write_hierarchy
from shoal.tables.losses import largest_k
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableRelease
from shoal.tables.table import Table


def run(job: TableRequest, watch: Watch | None = None) -> Outcome:
    """The outcome of any request."""
    actions: dict[type[TableRequest], Callable[[Any], Outcome]] = {
        InspectTable: inspect_table,
        ProtectTable: lambda job: protect_table(job, watch),
        VerifyTable: verify_table,
        MeasureTable: measure_table,
        AttackTable: attack_table,
        LadderOf: ladder_of,
    }
    return actions[type(job)](job)


def inspect_table(job: InspectTable) -> Inspection:
    """Suggested roles and the riskiest combinations."""
    return inspect(read_table(job))


def protect_table(job: ProtectTable, watch: Watch | None = None) -> TableRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
    from shoal.jobs.writing import write_release

    models = models_of(job.model, job.k)
    if not models:
        raise BadParameter('no promise asked for; give --k 5 or --model "k-anonymity(k=5)"')
    method = _method(job)
    table = read_table(job)
    if not job.quasi and not table.quasi:
        raise BadParameter(f"no quasi-identifier named; {advice(table)}")
    table, notes = settled(table, job)
    for model in models:
        check_fits(model, table)
    release: TableRelease = verbs.protect(table, method, models, watch)
    release = release.noted(notes)
    if job.output is not None:
        source = job.data if isinstance(job.data, str | Path) else None
        write_release(release, job, source, table.identifier, models)
    return release


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
    table = with_roles(table, job, manifest)
    if not table.quasi:
        raise BadParameter(f"no quasi-identifier named; {advice(table)}")
    for model in models:
        check_fits(model, table)
    domains = dict(manifest.domains) if manifest else {}
    for column, spec in job.hierarchy.items():
        if column in table.sensitive and column not in domains:
            domains[column] = Domain.of(table.frame, column, hierarchy_of(spec, table.frame[column], column))
    verdict = verbs.verify(Classes.of(table, domains), models, notes)
    return _with_record(verdict, table, job, manifest)


def measure_table(job: MeasureTable) -> Appraisal:
    """Risk of a table, and what was lost against its original."""
    manifest = manifest_of(job)
    table = with_roles(read_table(job), job, manifest)
    if not table.quasi:
        raise BadParameter(f"no quasi-identifier named; {advice(table)}")
    original = None
    ladders = {}
    if job.original is not None:
        frame = frame_of(job.original, job)
        original = Table(frame).with_roles(quasi=table.quasi)
        ladders = ladders_of(original, job, table.quasi)
    elif job.hierarchy:
        source = table.frame if job.population is None else frame_of(job.population, job)
        ladders = {
            column: hierarchy_of(spec, source[column], column)
            for column, spec in job.hierarchy.items()
            if column in table.quasi and column in source.columns
        }
    population = None if job.population is None else frame_of(job.population, job)
    k = job.k
    if k is None:
        k = largest_k([catalog.make("model", text) for text in manifest.models]) if manifest else 1
    return appraise(table, original, population, ladders, k)


def attack_table(job: AttackTable) -> Finding:
    """What one attacker achieves against a release."""
    from shoal.tables.attacks.linkage import Linkable

    if job.external is None:
        raise BadParameter("linkage needs a list of named people; give --external FILE")
    attacker = catalog.make("attack", job.attack) if isinstance(job.attack, str) else job.attack
    table = with_roles(read_table(job), job, manifest_of(job))
    if not table.quasi:
        raise BadParameter(f"no quasi-identifier named; {advice(table)}")
    external = frame_of(job.external, job)
    ladders = {
        column: hierarchy_of(spec, external[column], column)
        for column, spec in job.hierarchy.items()
        if column in external.columns
    }
    return verbs.attack(
        Linkable(table.with_hierarchies({**table.hierarchies, **ladders}), external), attacker
    )


def ladder_of(job: LadderOf) -> Suggestion:
    """The hierarchy of one column, written as CSV when an output is named."""
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


def _method(job: ProtectTable) -> Any:
    if not isinstance(job.method, str):
        return job.method
    cls = catalog.find("method", job.method)
    return cls(objective=job.objective, suppress=job.suppress, time_limit=job.time_limit, seed=job.seed)


def _with_record(verdict: Verdict, table: Table, job: VerifyTable, manifest: Manifest | None) -> Verdict:
    """The verdict with what the record adds: identifiers that came back, a file that was changed."""
    if manifest is None:
        return verdict
    promises, notes = list(verdict.promises), list(verdict.notes)
    back = [column for column in manifest.identifier if column in table.columns]
    if back:
        promises.append(Promise("no-identifiers", None, False, f"no-identifiers({','.join(back)} is there)"))
    if manifest.output is not None and fingerprint(job.data) != manifest.output:
        notes.append("the file is not the one the manifest was written for: its fingerprint differs")
    return Verdict(tuple(promises), tuple(notes))
