"""Gather what a report tells: verify, measure and attack one release, and look at what became of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.cache import remembering
from shoal.core.errors import BadParameter, ShoalError
from shoal.core.outcome import Verdict
from shoal.core.progress import Follow
from shoal.engines.files import fingerprint
from shoal.jobs.attack_trials import hide_quoted_values, trials_not_asked_for
from shoal.jobs.report_files import command_of, no_progress, prints_of
from shoal.jobs.tables.attack import scene_of
from shoal.jobs.tables.attack_trials import try_attacks
from shoal.jobs.tables.measure import appraise_table
from shoal.jobs.tables.requests import ROLES, AttackTable, MeasureTable, ReportTable, VerifyTable
from shoal.jobs.tables.source import frame_of
from shoal.jobs.tables.verify import verify_table
from shoal.tables.appraisal.appraisal import Appraisal
from shoal.tables.appraisal.dossier import Dossier, stories
from shoal.tables.attacker_reasoning import revealing_columns as reading
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.discovery.dependencies import dependencies
from shoal.tables.hierarchies.spec import declares, path_in
from shoal.tables.manifest import beside
from shoal.tables.published_losses import published_losses
from shoal.tables.table import Table
from shoal.version import __version__

EVERY = "every attack"  # the scene is set for all at once; each is asked what it needs later


def inputs(job: ReportTable) -> list[Any]:
    """The files that are read, which no report may take the place of."""
    read = [job.data, _record_place(job), job.original, job.external, job.control, job.population]
    return [*read, *job.other, *map(path_in, job.hierarchy.values())]


@remembering()  # each file is read once
def report_table(job: ReportTable, follow: Follow | None = None) -> Dossier:
    """All that a report tells; what cannot be found out is told as such."""
    say = follow or no_progress
    say(0, 0, "checking the promises")
    shared = {
        name: getattr(job, name)
        for name in ("data", "manifest", "separator", "encoding", "hierarchy", *ROLES)
    }
    asked = VerifyTable(**shared, model=job.model, k=job.k)
    verdict = _verify(asked, job.population)
    original = None if job.original is None else frame_of(job.original, job)
    held = {"external": job.external, "other": job.other, "control": job.control}
    after = scene_of(
        AttackTable(**shared, **held, original=original, attack=EVERY, show=1),
        None,
    )
    before = _before(job, after, original, held)
    say(0, 0, "measuring risk and loss")
    notes = list(verdict.notes)
    risk, risk_before, measured = _measure(job, after, before, original, notes)
    record = _record(job)
    if original is not None and _another(original, record):
        notes.append(
            "the original given does not have as many rows as the table that the release was made from: "
            "it is another file, or other tables were joined to it"
        )
    losses = _losses(job, record, measured, after.table.quasi)
    rows = record.get("rows") or (None if original is None else original.height)
    return Dossier(
        title=job.title or Path(job.data).name,
        made=job.made or date.today().isoformat(),
        version=__version__,
        release=Path(job.data).name,
        rows=rows,
        released=after.table.rows,
        suppressed=record.get("suppressed"),
        columns=stories(job.identifier, after, original, record, job.insensitive),
        verdict=replace(verdict, notes=()),
        trials=(
            *try_attacks(before, after, job.attack, follow, job.time_limit),
            *trials_not_asked_for(job.attack, job.noun),
        ),
        risk=risk,
        risk_before=risk_before,
        losses=losses,
        measured=measured is not None,
        prints=prints_of(job.data, _record_place(job)),
        command=command_of(job),
        method=str(record.get("method", "")),
        settings=record.get("settings", {}),
        steps=after.manifest.steps if after.manifest else (),
        optimal=record.get("optimal"),
        guarantees=after.manifest.guarantees if after.manifest else {},
        has_original=original is not None,
        has_population=job.population is not None,
        altered=record.get("hashes", {}).get("output") not in (None, fingerprint(job.data)),
        notes=tuple(notes),
        given_away=leaks(after),
    )


def _verify(asked: VerifyTable, population: Any) -> Verdict:
    """The promises checked; only one about a population needs it, and then on one level per column."""
    try:
        return verify_table(asked)
    except BadParameter:
        if population is None:
            raise
        return verify_table(replace(asked, population=population))


def _before(
    job: ReportTable, after: Scene, original: pl.DataFrame | None, held: dict[str, Any]
) -> Scene | None:
    """The same scene around the raw original: the columns of the release without identifiers."""
    if original is None:
        return None
    gone = {*job.identifier, *(after.manifest.identifier if after.manifest else ())}
    raw = original.select(
        [name for name in after.table.columns if name in original.columns and name not in gone]
    )
    quasi = tuple(name for name in after.table.quasi if name in raw.columns)
    if not quasi:
        raise BadParameter(
            f"the original has none of the release's quasi-identifiers ({', '.join(after.table.quasi)}); "
            f"it has {', '.join(original.columns)}"
        )
    sensitive = tuple(name for name in after.table.sensitive if name in raw.columns)
    # The people are the same, so what was built over all their values serves again.
    built = {name: made for name, made in after.table.hierarchies.items() if name in quasi}
    hierarchies = {name: built.get(name, spec) for name, spec in job.hierarchy.items() if name in raw.columns}
    return scene_of(
        AttackTable(
            data=Table(raw),
            separator=job.separator,
            encoding=job.encoding,
            quasi=quasi,
            sensitive=sensitive,
            hierarchy=hierarchies,
            original=original,
            attack=EVERY,
            show=1,
            **held,
        ),
        None,
    )


def _measure(
    job: ReportTable, after: Scene, before: Scene | None, original: pl.DataFrame | None, notes: list[str]
) -> tuple[Appraisal, Appraisal | None, Mapping[str, float] | None]:
    """Risk after and before, and what was lost, as far as the files tell."""
    released = after.table.with_hierarchies({})  # those of the scene are an attacker's
    plain = MeasureTable(data=released, hierarchy=job.hierarchy, k=job.k)
    plain = replace(plain, separator=job.separator, encoding=job.encoding)
    risk = appraise_table(replace(plain, population=job.population), after.manifest)
    losses = risk_before = None
    if original is not None:
        try:
            losses = appraise_table(replace(plain, original=original), after.manifest).losses
        except ShoalError as error:
            notes.append(
                f"what was lost was not measured: {hide_quoted_values(str(error), after.table.columns)}"
            )
    if before is not None:
        risk_before = appraise_table(replace(plain, data=before.table, hierarchy={}))
    return risk, risk_before, losses


def _record_place(job: ReportTable) -> Path:
    return beside(job.data) if job.manifest is None else Path(job.manifest)


def _record(job: ReportTable) -> dict[str, Any]:
    """All that the manifest says; it was read and found good before."""
    path = _record_place(job)
    document: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return document


def _another(original: pl.DataFrame, record: dict[str, Any]) -> bool:
    """Whether the number of rows tells that a release was made from another table.

    Steps may add and leave out rows, and a release with noise says nothing about their number.
    """
    if record.get("guarantees") or record.get("settings", {}).get("step"):
        return False
    return bool(record.get("rows", original.height) != original.height)


def _losses(
    job: ReportTable, record: dict[str, Any], measured: Mapping[str, float] | None, quasi: Sequence[str]
) -> dict[str, float]:
    """The losses that may go out, measured now or else as the manifest has them."""
    recorded = {name: float(value) for name, value in record.get("losses", {}).items() if value is not None}
    if measured is None:
        return published_losses(recorded, declared=True)
    declared = all(declares(job.hierarchy.get(column)) for column in quasi)
    return published_losses(measured, declared and (not recorded or "loss" in recorded))


SURE_OF_IT = 0.95


def leaks(scene: Scene) -> tuple[str, ...]:
    """What columns of the release tell of each other, by the people given and by the release alone."""
    if scene.manifest is not None and scene.manifest.guarantees:
        return ()  # chance made these rows
    found = reading.revealed_columns(scene, SURE_OF_IT)
    told = [
        f"{' and '.join(one.determining)} {'gives' if len(one.determining) == 1 else 'give'} away "
        f"{one.determined}, which was made coarser, in {int(one.rows.sum()):,} rows"
        for one in found
    ]
    known = {one.determined for one in found}
    others = [name for name in scene.table.columns if name not in scene.table.identifier]
    for one in dependencies(scene.table.frame, others):
        new = one.determined in scene.table.quasi and one.determined not in known
        if new and not set(one.determining) & set(scene.table.quasi):
            told.append(
                f"{' and '.join(one.determining)} determine{'s' * (len(one.determining) == 1)} "
                f"{one.determined} in {one.share:.1%} of the released rows, and no promise counts on "
                "anybody knowing it: it may tell more than the label does"
            )
    return tuple(told)
