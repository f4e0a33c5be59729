"""Carry out a request: read, settle roles and ladders, call the verb, write the outcome."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shoal import catalog, verbs
from shoal.core.contract import Watch
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Outcome, Promise, Verdict
from shoal.core.spelling import split
from shoal.engines.local import fingerprint
from shoal.jobs.caution import cautioned, with_misread_labels
from shoal.jobs.company import (
    check_mechanism,
    joined,
    kept_inside,
    population_seen,
    untold,
    with_population,
)
from shoal.jobs.curing import with_cure_checked
from shoal.jobs.measuring import measure_table
from shoal.jobs.parts import part_of
from shoal.jobs.scenes import scene_of
from shoal.jobs.settle import (
    advice,
    check_fits,
    check_size,
    check_values,
    compared,
    declared,
    laddered,
    manifest_of,
    models_of,
    read_table,
    with_roles,
)
from shoal.jobs.stepping import (
    TableStep,
    check_keys,
    check_seed,
    kept_by,
    kept_on_record,
    no_key_left_behind,
    stepped,
    steps_of,
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
    listed,
    path_in,
)
from shoal.tables.classes import Classes
from shoal.tables.discovery import Inspection, inspect
from shoal.tables.domains import Domain, joint_domains
from shoal.tables.hierarchies import Suggestion, hierarchy_of, of_released, suggest, write_hierarchy
from shoal.tables.manifest import Manifest, strangers_to, widened
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

# The flags that fill a parameter of the method which its spelling leaves open.
FLAGS = ("objective", "suppress", "time_limit", "seed", "class_column")


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


def protect_table(job: ProtectTable, watch: Watch | None = None) -> TableRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
    steps = steps_of(job.step)
    check_seed(steps, job)
    check_keys(steps, job)
    with no_key_left_behind(steps):
        return _protected(job, steps, watch)


def _protected(job: ProtectTable, steps: list[TableStep], watch: Watch | None) -> TableRelease:
    from shoal.jobs.writing import check_output, write_release

    models = models_of(job.model, job.k)
    if not models:
        raise BadParameter('no promise asked for; give --k 5 or --model "k-anonymity(k=5)"')
    method = _method(job)
    if hasattr(method, "mechanism"):
        method = method.mechanism(models) or method
    check_output(job)
    check_mechanism(method, models, job)
    table = joined(read_table(job), job)
    if not job.quasi and not table.quasi:
        raise BadParameter(f"no quasi-identifier named; {advice(table)}")
    held = {column for model in models for column in getattr(model, "held", ())}
    # A method over declared columns leaves all others out; there is nothing to say about them.
    blind = getattr(method, "declared", False)
    spoken = set(table.columns) if blind else kept_by(steps) | held
    table, notes = declared(table, job, spoken)
    table, told = kept_inside(table, job, models, kept_by(steps))
    table = with_population(table, job)
    table, done = stepped(table, steps, job.seed)
    table = laddered(table, job, blind)
    for model in models:
        if not blind:  # a refusal would tell the number of rows
            check_size(model, table)
        check_fits(model, table)
        check_values(model, table)
    release: TableRelease = verbs.protect(table, method, models, watch)
    release = release.noted([*notes, *told, *done, *_unused(job, method)])
    release = replace(release, allowed=getattr(method, "suppress", None))
    if job.output is not None:
        identifier = table.identifier
        del table  # the original is not needed any more, and the check of the written file needs the memory
        write_release(release, job, identifier, models)
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
    attacker = catalog.make("attack", job.attack) if isinstance(job.attack, str) else job.attack
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


def _method(job: ProtectTable) -> Any:
    """The method by its spelling; what that leaves open comes from the flags it has a parameter for."""
    if not isinstance(job.method, str):
        return job.method
    made = part_of("method", job.method, "table")
    _, given = split(job.method)
    said = {key.replace("-", "_") for key in given}
    fields = {field.name for field in dataclasses.fields(made)} - said
    return dataclasses.replace(made, **{flag: getattr(job, flag) for flag in FLAGS if flag in fields})


def _unused(job: ProtectTable, method: Any) -> list[str]:
    """A remark for every flag that was given and that the method has no use for."""
    fields = {field.name for field in dataclasses.fields(method)}
    usual = {field.name: field.default for field in dataclasses.fields(job)}
    return [
        f"{method.name} has no use for --{flag.replace('_', '-')}; it was not used"
        for flag in ("objective", "suppress", "time_limit")
        if flag not in fields and getattr(job, flag) != usual[flag]
    ]


def _with_record(verdict: Verdict, table: Table, job: VerifyTable, manifest: Manifest | None) -> Verdict:
    """The verdict with what the record adds: what came back into the file, and whether it was changed."""
    promises, notes = list(verdict.promises), list(verdict.notes)
    removed = (*job.identifier, *(manifest.identifier if manifest else ()))
    pseudonyms = kept_on_record(manifest.steps) if manifest else set()
    back = [name for name in dict.fromkeys(removed) if name in table.columns and name not in pseudonyms]
    if back:
        promises.append(Promise("no-identifiers", None, False, f"no-identifiers({listed(back)} is there)"))
    for column, domain in (manifest.domains if manifest else {}).items():
        strangers = strangers_to(domain, table)
        if strangers:
            what = f"{column} has {strangers[0]!r}, which the original did not have"
            promises.append(Promise("known-values", None, False, f"known-values({what})"))
    if manifest is not None and manifest.output is not None and fingerprint(job.data) != manifest.output:
        notes.append("the file is not the one the manifest was written for: its fingerprint differs")
    return Verdict(tuple(promises), tuple(notes))
