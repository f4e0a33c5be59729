"""Carry out `protect` for a graph: read, make the release, write it."""

from __future__ import annotations

import dataclasses
from typing import Any

from shoal import verbs
from shoal.core.progress import Watch
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.labels import check_labels, labelled
from shoal.jobs.graphs.output import check_output, kinds_told, write_release
from shoal.jobs.graphs.requests import ProtectGraph
from shoal.jobs.graphs.source import (
    called,
    method_of,
    models_of,
    people,
    read,
)
from shoal.jobs.parts import check_size


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
        check_size(model, graph.nodes, "graph", "node")
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


def _unused(job: ProtectGraph, method: Any) -> list[str]:
    seeded = "seed" in {field.name for field in dataclasses.fields(method)}
    if job.seed is None or seeded or job.labels == "random":
        return []
    return [f"{method.name} has no use for --seed; it was not used"]
