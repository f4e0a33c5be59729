"""Carry out a comparison: many releases in memory, their risk and usefulness, and the curve as a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from shoal import catalog, verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Json, Promise
from shoal.core.part_syntax import spell
from shoal.core.progress import Follow
from shoal.engines.atomic_write import check_place, write_in_place_of
from shoal.jobs import chart_files
from shoal.jobs.tables.parameter_grid import Setting, settings_in
from shoal.jobs.tables.protect import protect_table
from shoal.jobs.tables.requests import CompareTable, ProtectTable
from shoal.jobs.tables.source import models_of, read_table
from shoal.tables.appraisal.tradeoff import OF_CLASS, RISKS, UTILITIES, Axis, Point, TradeOff, useful
from shoal.tables.appraisal.usefulness import Usefulness, usefulness
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.hierarchies.spec import path_in
from shoal.tables.manifest import Manifest
from shoal.tables.measures.classifier_accuracy.classifier_accuracy import ClassifierAccuracy
from shoal.tables.measures.risk import Exposure, Marketer, Prosecutor
from shoal.tables.measures.workload_error import WorkloadError
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

FORMS = (*chart_files.FORMS, ".json")
# What an attack can be given when only a table and its release are there.
AT_HAND = ("external", "original", "sensitive", "manifest")


def compare_table(job: CompareTable, follow: Follow | None = None) -> TradeOff:
    """Risk against usefulness over a grid of settings; drawn or written when an output is named."""
    settings = settings_in(job)
    for setting in settings:
        models_of(setting.models, setting.k)  # a misspelled model is no setting that cannot be reached
        if isinstance(setting.method, str):
            catalog.part_of("method", setting.method, "table")
    utility, (risk, attacker) = _utility(job), _risk(job)
    _check_output(job)
    table = read_table(job)
    _check_class(job, table)
    if attacker is not None and "sensitive" in attacker.needs and not (job.sensitive or table.sensitive):
        raise BadParameter(f"{attacker.name} needs a sensitive column; name one with --sensitive")
    points: list[Point] = []
    notes: dict[str, None] = {}
    refused: list[BadParameter] = []
    for done, setting in enumerate(settings):
        if follow is not None:
            follow(done, len(settings), setting.label)
        try:
            release = protect_table(_protect(job, table, setting))
        except (Unreachable, BadParameter) as error:
            if isinstance(error, BadParameter):
                refused.append(error)
            points.append(_unreachable_point(setting, table.rows, str(error)))
            continue
        notes |= dict.fromkeys(release.notes)
        point = _point(setting, release, table.frame, job)
        value = _risk_of(point, risk) if attacker is None else _hit(attacker, release, table.frame, job)
        points.append(replace(point, risk=value, utility=useful(point, utility.name)))
    if len(refused) == len(points):
        raise refused[0]  # nothing is wrong with one of the settings, but with what they share
    if not any(point.reached for point in points):
        raise Unreachable(f"none of the {len(points)} settings can be reached; the first: {points[0].reason}")
    curve = TradeOff.of(points, risk, utility, table.rows, [*_usual(job), *notes])
    if job.output is not None:
        write_curve(curve, job.output)
    return curve


def _usual(job: CompareTable) -> list[str]:
    """What holds for every setting, and so stands beside none of them."""
    if len(job.suppress) > 1:
        return []
    return [f"up to {100 * job.suppress[0]:g} % of the rows may be left out in every setting (--suppress)"]


def write_curve(curve: TradeOff, output: str | Path) -> None:
    """The curve as a file: a picture, a page that needs no network, or the JSON document."""
    form = Path(output).suffix.lower()
    with write_in_place_of(output) as stream:
        stream.write(_render_curve(curve, form))


def _render_curve(curve: TradeOff, form: str) -> bytes:
    if form == ".json":
        return (json.dumps(curve.to_json(), ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
    from shoal.tables.appraisal.tradeoff_chart import picture

    if not curve.front:
        raise BadParameter(
            f"nothing to draw: no setting has both {curve.risk.name} and {curve.utility.name}; "
            "choose others with --risk and --utility, or write a .json"
        )
    return chart_files.render_chart(picture(curve), form)


def _check_output(job: CompareTable) -> None:
    if job.output is None:
        return
    if str(job.output) == "-":
        raise BadParameter("-o takes a file here; --json prints the comparison on standard output")
    if Path(job.output).suffix.lower() not in FORMS:
        raise BadParameter(
            f"cannot draw '{job.output}': unknown extension; use .svg, .png, .html, or .json for the figures"
        )
    if Path(job.output).suffix.lower() != ".json":
        chart_files.check_form(job.output)
    check_place(job.output, [job.data, *map(path_in, job.hierarchy.values())])


def _utility(job: CompareTable) -> Axis:
    if job.utility not in UTILITIES:
        raise BadParameter(f"no utility '{job.utility}'; choose {', '.join(UTILITIES)}")
    if job.utility in OF_CLASS and job.class_column is None:
        raise BadParameter(f"--utility {job.utility} needs a class; name its column with --class-column")
    return UTILITIES[job.utility]


def _risk(job: CompareTable) -> tuple[Axis, Any]:
    """The axis of risk, and the attacker where it is the success of one."""
    if job.risk in RISKS:
        return RISKS[job.risk], None
    try:
        attacker = catalog.make("attack", job.risk)
    except BadParameter as error:
        raise BadParameter(
            f"no risk '{job.risk}': choose {', '.join(RISKS)}, or an attack ({error})"
        ) from None
    lacking = [need for need in attacker.needs if need not in AT_HAND]
    if lacking:
        raise BadParameter(
            f"{attacker.name} needs more than a table and its release ({lacking[0]}); "
            f"choose another --risk, such as {', '.join(RISKS)}"
        )
    return Axis(job.risk, f"share of people hit by {job.risk}"), attacker


def _check_class(job: CompareTable, table: Table) -> None:
    column = job.class_column
    if column is None:
        return
    if column not in table.columns:
        raise BadParameter(f"no class column '{column}'; the table has {', '.join(table.columns)}")
    for role in ("quasi", "identifier"):
        if column in (getattr(job, role) or getattr(table, role)):
            raise BadParameter(
                f"the class column '{column}' is {role}, and a release does not keep it as it is; "
                "name a sensitive or insensitive one"
            )


def _protect(job: CompareTable, table: Table, setting: Setting) -> ProtectTable:
    return ProtectTable(
        data=table,
        identifier=job.identifier,
        quasi=job.quasi,
        sensitive=job.sensitive,
        # What is to be predicted must be there to be measured; nothing of it is written.
        insensitive=(*job.insensitive, *_class_alone(job, table)),
        hierarchy=job.hierarchy,
        model=setting.models,
        k=setting.k,
        method=setting.method,
        suppress=setting.suppress,
        objective=job.objective,
        weight=job.weight,
        class_column=job.class_column,
        time_limit=job.time_limit,
        seed=job.seed,
    )


def _class_alone(job: CompareTable, table: Table) -> tuple[str, ...]:
    """The class column, where it has no role of its own."""
    sensitive = job.sensitive or table.sensitive
    taken = job.class_column is None or job.class_column in (*job.insensitive, *sensitive)
    return () if taken or job.class_column is None else (job.class_column,)


def _spell_method(method: Any) -> str:
    return method if isinstance(method, str) else spell(method)


def _unreachable_point(setting: Setting, rows: int, reason: str) -> Point:
    promises = tuple(
        Promise(model.name, None, None, spell(model)) for model in models_of(setting.models, setting.k)
    )
    return Point(
        setting.label, _spell_method(setting.method), setting.suppress, promises, False, reason, rows=rows
    )


def _point(setting: Setting, release: TableRelease, original: pl.DataFrame, job: CompareTable) -> Point:
    return Point(
        setting.label,
        _spell_method(setting.method),
        setting.suppress,
        release.promises,
        rows=original.height,
        released=release.released,
        risks=_risks(release),
        losses=release.losses,
        usefulness=_use(release, original, job),
        seconds=release.seconds,
    )


def _risks(release: TableRelease) -> dict[str, Json] | None:
    if release.guarantees:
        return None  # rows with noise: how many look alike says nothing about people
    exposure = Exposure.of_sample(release.seen().sizes)
    return {
        "prosecutor": Prosecutor().measure(exposure).to_json(),
        "marketer": {"average": Marketer().measure(exposure)},
    }


def _risk_of(point: Point, axis: Axis) -> float | None:
    if point.risks is None:
        return None
    kind, _, which = axis.name.partition("-")
    found: Any = point.risks[kind]
    return float(found[which or "average"])


def _use(release: TableRelease, original: pl.DataFrame, job: CompareTable) -> Usefulness | None:
    table = release.known_here()
    if job.class_column is not None and job.class_column not in table.columns:
        return None  # a method over declared columns leaves all others out
    seed = job.seed or 0
    return usefulness(
        original,
        table,
        table.hierarchies,
        job.class_column,
        WorkloadError(seed=seed),
        ClassifierAccuracy(seed=seed),
    )


def _hit(attacker: Any, release: TableRelease, original: pl.DataFrame, job: CompareTable) -> float:
    """The share of people hit by an attacker who knows the quasi-identifiers of everybody in the table."""
    known = [column for column in (*job.identifier, *release.table.quasi) if column in original.columns]
    scene = Scene(
        release.known_here(),
        external=original.select(list(dict.fromkeys(known))),
        original=original,
        manifest=Manifest.of(release),
        shown=1,
        seed=job.seed,
        readable=True,
    )
    return verbs.attack(scene, attacker).rate.value
