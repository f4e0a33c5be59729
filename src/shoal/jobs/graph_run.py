"""Carry out a request about a graph: read, settle, call the verb, write the outcome."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import verbs
from shoal.core.contract import Watch
from shoal.core.errors import BadParameter
from shoal.core.outcome import Outcome, Promise, Verdict
from shoal.core.spelling import spell
from shoal.engines.write import file_kind
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.manifest import GraphManifest
from shoal.graphs.release import GraphRelease
from shoal.graphs.sight import GraphModel, Sight
from shoal.jobs.graph_labels import check_labels, labelled
from shoal.jobs.graph_settling import (
    called,
    changed,
    check_size,
    manifest_of,
    method_of,
    models_of,
    people,
    read,
)
from shoal.jobs.graph_writing import check_output, kinds_told, write_release
from shoal.jobs.graphs import AskGraph, GraphRequest, MeasureGraph, ProtectGraph, VerifyGraph


def run(job: GraphRequest, watch: Watch | None = None) -> Outcome:
    """The outcome of any request."""
    # A release needs neither a ledger nor figures.
    from shoal.jobs.graph_asking import ask_graph
    from shoal.jobs.graph_measuring import measure_graph

    actions: dict[type[GraphRequest], Callable[[Any], Outcome]] = {
        ProtectGraph: lambda job: protect_graph(job, watch),
        VerifyGraph: verify_graph,
        MeasureGraph: measure_graph,
        AskGraph: ask_graph,
    }
    return actions[type(job)](job)


def protect_graph(job: ProtectGraph, watch: Watch | None = None) -> GraphRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
    models = models_of(job.model, job.k)
    method = method_of(job, models)
    check_output(job)
    private = method.declared  # noise hides every edge, and how many there are
    found = read(job.data, job, private)
    graph, style, doubts = people(found.graph, called(job.data), private), found.style, found.notes
    del found
    for model in models:
        check_size(model, graph)
    if not private:  # it releases nobody, so that there is nothing to look up in the labels
        check_labels(graph, job, method)
    release: GraphRelease = verbs.protect(graph, method, models, watch)
    cleaned = graph.cleaned
    if isinstance(release.graph, Graph) and release.paired:
        cleaned = release.graph.cleaned  # direction may have been dropped on the way
    del graph  # the original is not needed any more, and the check of the written file needs the memory
    # How many loops there were is an exact figure; where noise was promised, not even that is told.
    told = () if release.guarantees else (*doubts, *cleaned.notes)
    left_out = [note for note in told if note not in release.notes]
    notes = [*left_out, *_unused(job, method), *kinds_told(release, job, models)]
    release = labelled(release.noted(notes), job)
    if job.output is not None:
        # How the input was written is something of the input, too: its first line may be taken for a header.
        write_release(release, job, method, models, cleaned, None if release.guarantees else style)
    return release


def verify_graph(job: VerifyGraph) -> Verdict:
    """Whether a release keeps its promises, from its files alone."""
    manifest = manifest_of(job)
    if manifest is not None and job.directed is None and manifest.directed:
        job = replace(job, directed=True)
    if manifest is not None and job.kinds is None and _has_attributes(job.data):
        job = replace(job, kinds=manifest.kinds)
    released = read(job.data, job).graph
    models = models_of(job.model, job.k)
    notes = _beyond(released, job.data)
    if manifest is None:
        notes.append("no manifest beside the file: checked by the flags alone")
    elif not models:
        models = models_of(list(manifest.models), None)
    if not models:
        raise BadParameter('no promise to verify; give --model "k-degree(k=10)" or keep the manifest')
    other = manifest is not None and changed(job, manifest)
    told, promises, why = _untold(models, manifest, other)
    guarantees = {} if manifest is None or other else manifest.guarantees
    verdict = verbs.verify(Sight(released, guarantees), told, [*notes, *why])
    if other:
        verdict = replace(
            verdict,
            notes=(
                *verdict.notes,
                "the file is not the one the manifest was written for: its fingerprint differs",
            ),
        )
    return replace(verdict, promises=(*verdict.promises, *promises))


def _has_attributes(data: Any) -> bool:
    """Whether a file has room for kinds: for all others a name in a record would be read as a file."""
    from shoal.graphs.formats.style import MARKED

    return isinstance(data, str | Path) and file_kind(data)[0] in MARKED


def _beyond(released: Graph | Grouping, data: Any) -> list[str]:
    """A remark where a file shows more than friends, on which the promises are checked."""
    if isinstance(released, Grouping) or isinstance(data, GraphRelease):
        return []
    cleaned = released.cleaned
    found = ["loops"] * bool(cleaned.loops) + ["repeated edges"] * bool(cleaned.duplicates)
    more = ", ".join([*found, *cleaned.weights])
    return [f"there is more than was checked, and no promise speaks of it: {more}"] if more else []


def _untold(
    models: Sequence[GraphModel], manifest: GraphManifest | None, other: bool
) -> tuple[list[GraphModel], list[Promise], list[str]]:
    """The models that a file can be checked for, the promises of the others, and why."""
    told, promises, notes = [], [], []
    for model in models:
        if not model.mechanisms:
            told.append(model)
        elif manifest is None or manifest.method not in model.mechanisms or other:
            notes.append(
                f"{model.name} is a promise of the method that made a release; without its manifest, or with "
                "edges changed since, nobody can tell whether it holds"
            )
            promises.append(Promise(model.name, None, None, spell(model)))
        else:
            told.append(model)
            notes.append(
                f"{model.name} is a promise of the method; no file can prove it, the level is the manifest's"
            )
    return told, promises, notes


def _unused(job: ProtectGraph, method: Any) -> list[str]:
    seeded = "seed" in {field.name for field in dataclasses.fields(method)}
    if job.seed is None or seeded or job.labels == "random":
        return []
    return [f"{method.name} has no use for --seed; it was not used"]
