"""Carry out `verify` for a graph, from its files alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import verbs
from shoal.core.errors import BadParameter
from shoal.core.outcome import Verdict
from shoal.engines.address import address_of
from shoal.engines.atomic_write import file_kind, has_changed
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import ModelView
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.requests import VerifyGraph
from shoal.jobs.graphs.source import (
    manifest_of,
    models_of,
    read,
)
from shoal.verbs import split_uncheckable


def verify_graph(job: VerifyGraph) -> Verdict:
    """Whether a release keeps its promises, from its files alone."""
    if (stays := address_of(job.data)) is not None:
        from shoal.jobs.graphs.engine_figures import verify_in_engine

        return verify_in_engine(job, stays)
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
    other = manifest is not None and has_changed(job.data, manifest.output)
    method = None if manifest is None or other else manifest.method
    told, promises, why = split_uncheckable(models, lambda model: method in model.mechanisms, "edges")
    guarantees = {} if manifest is None or other else manifest.guarantees
    verdict = verbs.verify(ModelView(released, guarantees), told, [*notes, *why])
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
    from shoal.graphs.formats.file_style import MARKED

    return isinstance(data, str | Path) and file_kind(data)[0] in MARKED


def _beyond(released: Graph | Grouping, data: Any) -> list[str]:
    """A remark where a file shows more than friends, on which the promises are checked."""
    if isinstance(released, Grouping) or isinstance(data, GraphRelease):
        return []
    cleaned = released.cleaned
    found = ["loops"] * bool(cleaned.loops) + ["repeated edges"] * bool(cleaned.duplicates)
    more = ", ".join([*found, *cleaned.weights])
    return [f"there is more than was checked, and no promise speaks of it: {more}"] if more else []
