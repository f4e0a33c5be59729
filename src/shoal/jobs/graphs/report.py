"""Gather what a report about a network tells: verify, measure and attack one release, before and after."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from shoal import catalog, verbs
from shoal.core.attack_results import Trial, Tried
from shoal.core.contract import Attack
from shoal.core.deadline import OutOfTime
from shoal.core.errors import ShoalError
from shoal.core.extras import require
from shoal.core.outcome import Finding
from shoal.core.part_syntax import spell, split
from shoal.core.progress import Follow
from shoal.engines.files import fingerprint
from shoal.graphs.appraisal.dossier import Choice, GraphDossier, GroupFigures
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.manifest import GraphManifest, beside
from shoal.graphs.methods.naive import Naive
from shoal.jobs.attack_trials import hide_quoted_values, run_trials, trials_not_asked_for
from shoal.jobs.graphs.attack import check_needs, scene_of
from shoal.jobs.graphs.cure import with_cure_checked
from shoal.jobs.graphs.measure import match_labels
from shoal.jobs.graphs.requests import AttackGraph, ReportGraph, VerifyGraph
from shoal.jobs.graphs.source import manifest_of, name_of, people, read, who_is_who
from shoal.jobs.graphs.verify import verify_graph
from shoal.jobs.report_files import command_of, no_progress, prints_of
from shoal.version import __version__

GROUPS = "it has groups of at least {:,} and no people, so there is nobody to find"
MADE_UP = "its people are made up and stand for nobody, so there is nobody to find"
UNCHECKED = (
    "who is who was not given (--truth), so what an attack claims to have found is counted as found, and "
    "nothing is told of edges one by one"
)


def inputs(job: ReportGraph) -> list[Any]:
    """The files that are read, which no report may take the place of."""
    return [job.data, beside(job.data), job.original, job.auxiliary, job.truth, job.kinds]


def report_graph(job: ReportGraph, follow: Follow | None = None) -> GraphDossier:
    """All that a report tells; what cannot be found out is told as such."""
    from shoal.graphs.appraisal.appraisal import appraise

    require("graphs", "a report about a network")
    say = follow or no_progress
    say(0, 0, "checking the promises")
    manifest, record = manifest_of(job), _record(job)
    if manifest is not None and job.directed is None and manifest.directed:
        job = replace(job, directed=True)
    shared = {name: getattr(job, name) for name in ("data", "separator", "encoding", "directed", "kinds")}
    verdict = verify_graph(VerifyGraph(**shared, model=job.model, k=job.k))
    released = read(job.data, job).graph
    original = None if job.original is None else people(read(job.original, job).graph, name_of(job.original))
    void, after = _after(job, released, manifest, original)
    before = None if original is None else _before(job, original)
    trials = _try_attacks(job, before, after, void, follow)
    say(0, 0, "measuring the network")
    shown = released.sample(job.seed or 0) if isinstance(released, Grouping) else released
    same = _same_people(job, shown, original, after)
    appraisal = appraise(shown, same, seed=job.seed)
    if same is None and original is not None:
        appraisal = replace(appraisal, before=appraise(original, seed=job.seed).figures)
    notes = list(verdict.notes)
    if original is not None and not void and after is not None and after.truth is None:
        notes.append(UNCHECKED)
    return GraphDossier(
        title=job.title or Path(job.data).name,
        made=job.made or date.today().isoformat(),
        version=__version__,
        release=Path(job.data).name,
        verdict=replace(verdict, notes=()),
        trials=(*trials, *trials_not_asked_for(job.attack, job.noun)),
        prints=prints_of(job.data, beside(job.data)),
        command=command_of(job),
        method="" if manifest is None else manifest.method,
        settings=record.get("settings", {}),
        guarantees={} if manifest is None else manifest.guarantees,
        has_original=original is not None,
        altered=manifest is not None and manifest.output not in (None, fingerprint(job.data)),
        notes=tuple(notes),
        nodes=released.nodes,
        edges=released.edges,
        appraisal=appraisal,
        choices=_choices(manifest, record),
        groups=GroupFigures.of(released) if isinstance(released, Grouping) else None,
        paired=not void,
        labels=None if manifest is None else manifest.labels,
        truth=after is not None and after.truth is not None,
        dropped={name: int(many) for name, many in (record.get("cleaned") or {}).items() if many},
    )


def _after(
    job: ReportGraph, released: Graph | Grouping, manifest: GraphManifest | None, original: Graph | None
) -> tuple[str, Scene | None]:
    """The scene around the release; or why nobody can be found in it, whoever looks."""
    if isinstance(released, Grouping):
        return GROUPS.format(int(released.sizes.min(initial=released.nodes))), None
    if manifest is not None and manifest.labels is None and manifest.method:
        return MADE_UP, None
    return "", scene_of(_asked(job, job.data, original))


def _before(job: ReportGraph, original: Graph) -> Scene:
    """The same around the original with new names: what a release without protection would tell."""
    release = verbs.protect(original, Naive(job.seed), [], None)
    return scene_of(replace(_asked(job, release, original), truth=None, model=(), k=None, method=Naive()))


def _asked(job: ReportGraph, data: Any, original: Graph | None) -> AttackGraph:
    return AttackGraph(
        data=data,
        original=original,
        auxiliary=job.auxiliary,
        truth=job.truth,
        attack="",
        show=1,
        seed=job.seed,
        separator=job.separator,
        encoding=job.encoding,
        directed=job.directed,
        kinds=job.kinds,
    )


def _try_attacks(
    job: ReportGraph, before: Scene | None, after: Scene | None, void: str, follow: Follow | None
) -> tuple[Trial, ...]:
    """A trial for every attack asked for, or else of the catalog."""
    names = [name for name in catalog.names("attack") if catalog.noun_of("attack", name) == "graph"]
    found: list[Trial | tuple[Any, str]] = []
    for text in job.attack or names:
        attacker = catalog.part_of("attack", text, "graph")
        part = catalog.Part("attack", split(text)[0], type(attacker))
        found.append((attacker, part.promise))

    def on_release(attacker: Attack[Scene], about: str) -> Trial:
        made = Trial(attacker.name, spell(attacker), about)
        why = void or ("" if after is None else attacker.inapplicable(after))
        if why or after is None:
            return replace(made, reason=why, void=True)
        return _trial(attacker, made, after)

    on_original = None if before is None else lambda attacker: _on(before, attacker)
    return run_trials(found, on_release, on_original, follow, job.time_limit)


def _trial(attacker: Attack[Scene], made: Trial, after: Scene) -> Trial:
    try:
        check_needs(attacker, after)
        finding = verbs.attack(after, attacker)
        tried = Tried.of(finding, sure=_sure(attacker, finding))
        if tried.works:  # what does not succeed needs no cure
            tried = Tried.of(with_cure_checked(finding, attacker, after), sure=tried.sure)
    except OutOfTime:
        raise
    except ShoalError as error:
        why = hide_quoted_values(str(error), ()).removeprefix(attacker.name).strip(" :")
        return replace(made, reason=why)
    except MemoryError:  # one attack too large for the machine is no reason to tell nothing of the others
        return replace(made, reason="does not fit into the memory of this machine")
    return replace(made, after=tried)


def _on(before: Scene, attacker: Attack[Scene]) -> Tried | None:
    """What the attack achieves without protection; None where it makes no sense there."""
    if attacker.inapplicable(before):
        return None
    try:
        check_needs(attacker, before)
        finding = verbs.attack(before, attacker)
    except OutOfTime:
        raise
    except (ShoalError, MemoryError):
        return None
    return Tried.of(finding, sure=_sure(attacker, finding))


def _sure(attacker: Attack[Scene], finding: Finding) -> bool:
    """Whether a hit is known to be one: an attack that is wrong as often as right is sure of nobody."""
    return attacker.sure and (not finding.rate.hits or finding.rate.value > (finding.wrong or 0.0))


def _same_people(
    job: ReportGraph, released: Graph, original: Graph | None, after: Scene | None
) -> Graph | None:
    """The original under the labels of the release, where somebody told who is who."""
    if original is None or after is None or after.truth is None:
        return None
    mapping = None if job.truth is None else who_is_who(job.truth, "truth")
    return match_labels(released, original, mapping)


def _choices(manifest: GraphManifest | None, record: dict[str, Any]) -> tuple[Choice, ...]:
    """What was decided, as far as the record tells it and by whom."""
    if manifest is None:
        return ()
    settings = record.get("settings", {})
    by = settings.get("decided") or {}
    labels = {"keep": "kept as they were", "random": "random numbers", None: "new ones, of nobody"}
    found = [
        Choice("promise", ", ".join(manifest.models) or "none", "flags"),
        Choice("method", str(settings.get("method") or manifest.method), by.get("method")),
        Choice("labels of people", labels[manifest.labels], by.get("labels")),
    ]
    if manifest.directed:
        found.append(Choice("direction of edges", "released"))
    if manifest.kinds is not None:
        found.append(Choice("kinds of people", f"released as {manifest.kinds}"))
    return tuple(found)


def _record(job: ReportGraph) -> dict[str, Any]:
    """All that the manifest says; it was read and found good before."""
    path = beside(job.data)
    document: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return document
