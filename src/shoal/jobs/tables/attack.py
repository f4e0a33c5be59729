"""Set the scene of an attack: every file that an attacker may hold, with roles and hierarchies."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from shoal import catalog, verbs
from shoal.core.cache import remembering
from shoal.core.contract import Attack
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import SHOWN, Cured, Finding, Json
from shoal.engines.address import address_of
from shoal.jobs.tables.requests import AttackTable
from shoal.jobs.tables.source import (
    advice,
    frame_of,
    hierarchies_between,
    manifest_of,
    read_table,
    with_roles,
)
from shoal.tables.appraisal.comparison import key_columns
from shoal.tables.attacker_reasoning.label_syntax import unreadable
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.hierarchies import Hierarchy, hierarchy_of, of_released, suggest
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.hierarchies.spec import path_in
from shoal.tables.manifest import Manifest
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableModel
from shoal.tables.table import Table

# What an attack may need, and the flag that gives it.
FLAGS = {
    "external": "a list of people it knows; give --external FILE, or --target name=Ann,zip=12345",
    "others": "another release; name a second file, or give --other FILE",
    "original": "the table that the release was made from; give --original FILE",
    "control": "people who are not in the data; give --control FILE",
    "sensitive": "a sensitive column; name one with --sensitive",
    "manifest": "to know how the release was made; keep its manifest (.shoal.json) beside it",
}


def scene_of(job: AttackTable, attacker: Attack[Scene] | None) -> Scene:
    """Everything that an attack looks at; what it cannot do without is asked for.

    Without an attacker the scene is set for all of them; each is asked what it needs later.
    """
    manifest = manifest_of(job)
    # An attack that asks for its columns by name needs no roles.
    roles = attacker is None or attacker.roles
    if address_of(job.data) is not None:
        from shoal.jobs.tables.engine_source import read_attacked

        tables = [read_attacked(job, attacker, lambda sample: with_roles(sample, job, manifest))]
    else:
        tables = [read_table(replace(job, data=source)) for source in (job.data, *job.other)]
    if job.other:
        _refuse_strangers(job, tables)
    table = tables[0]
    if roles:
        table = _release(table, job, manifest, 1) if job.other else with_roles(table, job, manifest)
    scene = Scene(
        table,
        others=tuple(
            _release(other, job, manifest_of(replace(job, data=source)), place)
            for place, (other, source) in enumerate(zip(tables[1:], job.other, strict=True), 2)
        ),
        external=_people(job),
        original=None if job.original is None else frame_of(job.original, job),
        control=None if job.control is None else frame_of(job.control, job),
        manifest=manifest,
        shown=SHOWN if job.show is None else job.show,
        seed=job.seed,
    )
    if attacker is not None:
        _check_needs(attacker, scene)
    hierarchies = _hierarchies(scene, job)
    with_hierarchies = [
        one.with_hierarchies({name: hierarchy for name, hierarchy in found.items() if name in one.columns})
        for one, found in zip((scene.table, *scene.others), hierarchies, strict=True)
    ]
    return replace(scene, table=with_hierarchies[0], others=tuple(with_hierarchies[1:]))


def _check_needs(attacker: Attack[Scene], scene: Scene) -> None:
    for need in attacker.needs:
        held = scene.table.sensitive if need == "sensitive" else getattr(scene, need)
        if held is None or (isinstance(held, tuple) and not held):
            raise BadParameter(f"{attacker.name} needs {FLAGS[need]}")


def _refuse_strangers(job: AttackTable, tables: Sequence[Table]) -> None:
    """Releases need not have the same columns, but some release must have each that is named."""
    for column in (*job.quasi, *job.sensitive, *job.insensitive, *job.hierarchy):
        if not any(column in table.columns for table in tables):
            told = "; ".join(f"release {n} has {', '.join(t.columns)}" for n, t in enumerate(tables, 1))
            raise BadParameter(f"no column '{column}': {told}")


def _release(table: Table, job: AttackTable, manifest: Manifest | None, place: int) -> Table:
    """One of several releases: roles from the flags as far as it has the columns, else its own."""

    def here(columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(column for column in columns if column in table.columns)

    own = replace(
        job,
        identifier=here(job.identifier),
        quasi=here(job.quasi),
        sensitive=here(job.sensitive),
        insensitive=here(job.insensitive),
        hierarchy={},
    )
    if not own.quasi and not table.quasi and (manifest is None or not manifest.quasi):
        raise BadParameter(
            f"no quasi-identifier of release {place} named; name those of all releases with --quasi; "
            f"{advice(table)}"
        )
    return with_roles(table, own, manifest)


def _people(job: AttackTable) -> pl.DataFrame | None:
    """The people an attacker knows: those of a list, and those named one by one."""
    found = [] if job.external is None else [frame_of(job.external, job)]
    if job.target:
        found.append(pl.DataFrame([pairs_in(text) for text in job.target], infer_schema_length=None))
    if len(found) < 2:
        return found[0] if found else None
    return pl.concat([frame.select(pl.all().cast(pl.String)) for frame in found], how="diagonal")


def _hierarchies(scene: Scene, job: AttackTable) -> list[dict[str, Hierarchy]]:
    """For each release hierarchies from what people have to what it says, over all values that anybody has.

    A hierarchy that one release came with, or that is known to fit it, serves the others that have none.
    """
    releases = (scene.table, *scene.others)
    raw = [frame for frame in (scene.external, scene.original, scene.control) if frame is not None]
    people = _stack_values(raw, [column for table in releases for column in table.quasi])
    own = []
    for table in releases:
        known = {**table.hierarchies, **hierarchies_between(job, table, people)}
        own.append({**_suggest_for_people(table, people, known), **known})
    sensitive = {column for table in releases for column in table.sensitive}
    released = _stack_values([table.frame for table in releases], sorted(sensitive))
    given: dict[str, Hierarchy] = {}
    for column, spec in job.hierarchy.items():
        if column in sensitive and released is not None:
            given[column] = of_released(spec, released[column], column)
        elif not any(column in found for found in own) and path_in(spec) is not None:
            # A file knows its values by itself; a rule needs somebody's.
            given[column] = hierarchy_of(spec, pl.Series(column, [], dtype=pl.String), column)
    usual = {column: hierarchy for found in reversed(own) for column, hierarchy in found.items()}
    return [{**usual, **found, **given} for found in own]


def _suggest_for_people(
    table: Table, people: pl.DataFrame | None, known: Mapping[str, Hierarchy]
) -> dict[str, Hierarchy]:
    """The hierarchies that are suggested for what people have, where none is known and they know all
    labels, whatever the level.
    """
    found = {}
    for column in table.quasi:
        if people is None or column not in people.columns or column in known:
            continue
        hierarchy = suggest(people[column], column).hierarchy
        labels, order = texts(table.frame[column]).unique().to_list(), LeafOrder.of(hierarchy)
        if hierarchy.missing(labels) and all(order.stretch_of(label) is not None for label in labels):
            found[column] = hierarchy
    return found


def _stack_values(frames: Sequence[pl.DataFrame], columns: Sequence[str]) -> pl.DataFrame | None:
    """Every value of some columns, as far as any of the frames has them."""
    found = {
        column: pl.concat([texts(frame[column]) for frame in frames if column in frame.columns])
        .unique()
        .sort()
        for column in columns
        if any(column in frame.columns for frame in frames)
    }
    if not found:
        return None
    most = max(map(len, found.values()))
    return pl.DataFrame(
        {name: values.extend_constant(values[0], most - len(values)) for name, values in found.items()}
    )


def attack_table(job: AttackTable) -> Finding:
    """What one attacker achieves against a release, and whether the cure stops them."""
    attacker = catalog.part_of("attack", job.attack, "table")
    scene = scene_of(job, attacker)
    finding = with_cure_checked(verbs.attack(scene, attacker), attacker, scene)
    others = [manifest_of(replace(job, data=source)) for source in job.other]
    return with_misread_labels(without_certainty(finding, scene.manifest, *others), scene)


def pairs_in(text: str) -> dict[str, str]:
    """What is known of one person, from `name=Bob,zip=47678`."""
    pairs: dict[str, str] = {}
    for piece in next(csv.reader([text], skipinitialspace=True), []):
        name, equals, value = piece.partition("=")
        if not equals or not name.strip():
            raise BadParameter(f"--target takes what is known of a person, as zip=47678,age=27, not '{text}'")
        pairs[name.strip()] = value.strip()
    return pairs


def with_cure_checked(finding: Finding, attacker: Attack[Scene], scene: Scene) -> Finding:
    """The finding with what the attack still achieves after its cure; as it was where none can be tried.

    An attack that knows its own cure gives the scene after it (`remedied`). Else classes that break
    the model it names are left out of the release, the cheapest way to a release that keeps it.
    """
    if not finding.rate.hits:
        return finding
    changed: Scene | None
    try:
        own = attacker.remedied(scene)
        if own is not None:
            changed, how = own
        elif finding.remedy is not None:
            changed, how = _keep_good_classes(scene, finding.remedy)
        else:
            return finding
        if changed is None:
            return finding
        with remembering():  # of its own: what is worked out from the cured release is of no use later
            again = verbs.attack(replace(changed, readable=True), attacker)
    except ShoalError:
        return finding  # nothing is left to attack, or the cure makes no sense here: then nothing is proved
    lost = (scene.table.rows - changed.table.rows) / scene.table.rows
    return replace(finding, cured=Cured(how, again.rate, lost))


def _keep_good_classes(scene: Scene, remedy: str) -> tuple[Scene | None, str]:
    """The scene with only the classes that keep a model."""
    model: TableModel = catalog.make("model", remedy)
    table = only_classes_that_keep([model], scene.table)
    if table is None:
        return None, ""
    how = f"without the {scene.table.rows - table.rows:,} rows whose classes break {remedy}"
    return replace(scene, table=table), how


def only_classes_that_keep(models: Sequence[TableModel], table: Table) -> Table | None:
    """The rows of the classes that keep every model; None when no row is left."""
    seen = Classes.of(table, domains_of(table, models))
    good = np.logical_and.reduce([model.holds(seen) for model in models])
    labels = key_columns(
        pl.Series(column, seen.names[column], dtype=pl.String).gather(seen.labels[column])
        for column in table.quasi
    )
    rows = key_columns(table.frame[column] for column in table.quasi).with_row_index("row")
    kept = rows.join(labels.filter(good), on=labels.columns, how="semi", nulls_equal=True)["row"]
    return table.only(kept.sort().to_numpy()) if len(kept) else None


SOME = 3  # labels that are told of a column


def with_misread_labels(finding: Finding, scene: Scene) -> Finding:
    """The finding with the labels that nobody could read: of rows that have them, nobody was found."""
    people = [frame for frame in (scene.external, scene.original) if frame is not None]
    misread: dict[str, Json] = {}
    for column in scene.table.quasi:
        raw = [texts(frame[column]).unique() for frame in people if column in frame.columns]
        hierarchy = scene.table.hierarchies.get(column)
        known = [] if hierarchy is None else [name for names in hierarchy.names for name in names]
        if raw and (found := unreadable(texts(scene.table.frame[column]), pl.concat(raw), known)):
            misread[column] = [*found[:SOME], *([f"and {len(found) - SOME} more"] if found[SOME:] else [])]
    if not misread:
        return finding
    cure = f"{finding.cure}; some labels could not be read, give --hierarchy for {', '.join(misread)}"
    return replace(finding, cure=cure, details={**finding.details, "labels_not_understood": misread})


def without_certainty(finding: Finding, *manifests: Manifest | None) -> Finding:
    """The finding without claims of certainty, where the record of a release says that chance had a hand."""
    told = [manifest for manifest in manifests if manifest is not None]
    parts = [catalog.known("method", manifest.method) for manifest in told]
    parts += [catalog.known("step", step) for manifest in told for step in manifest.steps]
    why = list(dict.fromkeys(part.chance for part in parts if part is not None and part.chance))
    if not why:
        return finding
    findings = tuple(
        {**one, "confidence": None} if one.get("confidence") == 1 else one for one in finding.findings
    )
    note = f"nothing learned from this release is certain: {', and '.join(why)}"
    return replace(finding, findings=findings, details={**finding.details, "certainty": note})
