"""Carry out `protect` for a graph: read, make the release, write it."""

from __future__ import annotations

import dataclasses
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Json
from shoal.core.progress import Watch
from shoal.core.randomness import generator, random_order
from shoal.engines.address import address_of, output_address
from shoal.engines.atomic_write import both_or_none, check_place, file_kind
from shoal.engines.files import fingerprint, write_text
from shoal.engines.frames import quote_value
from shoal.graphs.graph import Cleaning, Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.manifest import beside, is_directed, record
from shoal.graphs.model_view import GraphModel, ModelView
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.requests import ProtectGraph
from shoal.jobs.graphs.source import (
    method_of,
    models_of,
    name_of,
    people,
    read,
    spell_without_seed,
)


def protect_graph(job: ProtectGraph, watch: Watch | None = None) -> GraphRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
    models = models_of(job.model, job.k)
    method = method_of(job, models)
    if (stays := address_of(job.data)) is not None:
        from shoal.jobs.graphs.engine_protect import protect_in_engine

        return protect_in_engine(job, stays, method, models)
    check_output(job)
    private = method.declared  # noise hides every edge, and how many there are
    found = read(job.data, job, private)
    graph, style, doubts = people(found.graph, name_of(job.data), private), found.style, found.notes
    del found
    for model in models:
        verbs.check_size(model, graph.nodes, "graph", "node")
    if not private:  # it releases nobody, so that there is nothing to look up in the labels
        check_labels(job, method)
    release: GraphRelease = verbs.protect(graph, method, models, watch)
    cleaned = graph.cleaned
    if isinstance(release.graph, Graph) and release.paired:
        cleaned = release.graph.cleaned  # direction may have been dropped on the way
    del graph  # the original is not needed any more, and the check of the written file needs the memory
    # How many loops there were is an exact figure; where noise was promised, not even that is told.
    told = () if release.guarantees else (*doubts, *cleaned.notes)
    left_out = [note for note in told if note not in release.notes]
    notes = [*left_out, *_unused_flags(job, method), *kinds_told(release, job, models)]
    if not release.guarantees:
        release = replace(release, left_out=cleaned.weights)
    release = label_nodes(release.noted(notes), job)
    if job.output is not None:
        # How the input was written is something of the input, too: its first line may be taken for a header.
        write_release(release, job, method, models, cleaned, None if release.guarantees else style)
    return release


def _unused_flags(job: ProtectGraph, method: Any) -> list[str]:
    seeded = "seed" in {field.name for field in dataclasses.fields(method)}
    if job.seed is None or seeded or job.labels == "random":
        return []
    return [f"{method.name} has no use for --seed; it was not used"]


GONE = (
    "every node got a random number instead of its label; --mapping FILE writes who is who, for you alone, "
    "and --labels keep leaves the labels"
)
KEPT = (
    "the labels were kept: whoever knows what they stand for, or has another file with them, finds everybody "
    "by them"
)
GUESSED = "whoever guesses the seed can undo the new labels; leave it away for the release that goes out"
APART = "the mapping in '{}' tells who is who; never publish it, and keep it apart from the release"


def check_labels(job: ProtectGraph, method: Any) -> None:
    """Refuse labels that cannot be had before any work is done."""
    if method.relabels and job.labels == "keep":
        raise BadParameter(f"{method.name} gives new labels itself; leave out --labels keep")


def label_nodes(release: GraphRelease, job: ProtectGraph) -> GraphRelease:
    """The release under the labels that go out, its nodes in their order."""
    graph = release.graph
    if not isinstance(graph, Graph) or not release.paired:
        return _label_groups(release, job)
    if release.mapping is not None:  # the method has given new labels by itself
        return release.noted(_notes(job, ()))
    if job.labels == "keep":
        return release.in_order().noted([KEPT])
    told = () if job.labels or job.mapping else (GONE,)
    return release.relabelled(_order(graph.nodes, job.seed)).noted(_notes(job, told))


def _label_groups(release: GraphRelease, job: ProtectGraph) -> GraphRelease:
    """Groups and made-up people have no names."""
    if job.mapping is not None and release.mapping is None:
        raise BadParameter(
            f"{release.method} releases nobody as they are, so there is no mapping; leave it out"
        )
    if job.mapping is not None:
        release = release.noted([APART.format(job.mapping)])
    if isinstance(release.graph, Graph):
        release = replace(release, graph=replace(release.graph, labels=None))
    if job.labels is not None:
        release = release.noted([f"{release.method} has no use for --labels; it was not used"])
    return release


def _order(nodes: int, seed: int | None) -> Any:
    if seed is None:
        return random_order(nodes)
    # A stream of its own: the method draws from the seed itself.
    return np.asarray(generator(seed).spawn(1)[0].permutation(nodes), np.int64)


def _notes(job: ProtectGraph, told: tuple[str, ...]) -> list[str]:
    notes = list(told)
    if job.seed is not None:
        notes.append(GUESSED)
    if job.mapping is not None:
        notes.append(APART.format(job.mapping))
    return notes


def check_output(job: ProtectGraph) -> None:
    """Refuse files that could not be written after the work is done, or that are among the inputs."""
    if job.output is None:
        return
    if output_address(job.output) is not None:
        raise BadParameter(
            f"{quote_value(job.output)} is no file, and {name_of(job.data)} is one; give the edges by URL"
        )
    from shoal.graphs.formats.files import check_target

    check_place(job.output, [job.data, job.kinds])
    check_target(job.output)
    if str(job.output) != "-":
        check_place(beside(job.output), [job.data, job.kinds])
    if job.mapping is not None:
        check_place(job.mapping, [job.data, job.kinds, *_output_files(job)])


def check_project_file(path: str | Path, job: ProtectGraph) -> None:
    """Refuse a project file that could not be written after the release, or that would replace another."""
    check_place(path, [job.data, job.kinds, job.mapping, *_output_files(job)])


def write_release(
    release: GraphRelease,
    job: ProtectGraph,
    method: Any,
    models: Sequence[GraphModel],
    cleaned: Cleaning,
    style: Any,
) -> None:
    """The released graph, its manifest and the mapping that was asked for, or nothing at all."""
    from shoal.graphs.formats.files import read_graph, write_graph

    assert job.output is not None
    if not release.nodes:
        raise Unreachable(f"{release.method} left nobody, so there is nothing to write; raise epsilon")
    if str(job.output) == "-":
        with _write_mapping(release, job) as mapped:
            write_graph(release.graph, "-", style)
            mapped()
        return
    kinds = _kinds_in(release, job.output, style)
    decided: dict[str, Json] = {
        word: "default" if chosen is None else "flags"
        for word, chosen in (("method", job.method), ("labels", job.labels))
    }
    settings: dict[str, Json] = {"method": spell_without_seed(method), "kinds": kinds, "decided": decided}
    with both_or_none(job.output, beside(job.output)) as (trial, trial_record):
        write_graph(release.graph, trial, style)
        # The release on disk is what people get, so that is what must keep the promise.
        back = read_graph(trial, directed=is_directed(release) or None, kinds=kinds).graph
        _check_whole(back, release)
        verbs.require_kept(verbs.verify(ModelView(back, release.guarantees), models))
        del back
        # No fingerprint of the original: whoever takes some edges out of the release, a few at a time, would
        # know by it when the original is met.
        hashes = {"input": None, "output": fingerprint(trial)}
        write_text(record(release, settings, cleaned, hashes), trial_record)
        with _write_mapping(release, job) as mapped:
            mapped()  # all is on disk; what is left are renames


def _output_files(job: ProtectGraph) -> list[Any]:
    return [] if job.output is None else [job.output, beside(job.output)]


def kinds_told(release: GraphRelease, job: ProtectGraph, models: Sequence[GraphModel]) -> list[str]:
    """A remark where kinds of nodes do not go out (an edge list has no room), or go out unprotected."""
    if not isinstance(release.graph, Graph) or release.graph.kinds is None:
        return []
    if job.output is not None and not _kinds_in(release, job.output, None):
        return [
            "the kinds of nodes are not in the release, which is an edge list; .graphml or .gml takes them"
        ]
    if any(model.sees_kinds for model in models):
        return []
    return [
        "the kinds of nodes go out with the release, and no promise looks at them: whoever is the only one "
        "of a kind is found by it; leave out --kinds, or promise k-neighbourhood"
    ]


def _kinds_in(release: GraphRelease, output: str | Path, style: Any) -> str | None:
    """The attribute under which kinds of nodes go out."""
    from shoal.graphs.formats.file_style import MARKED

    if not isinstance(release.graph, Graph) or release.graph.kinds is None:
        return None
    return ((style and style.kinds) or "kind") if file_kind(output)[0] in MARKED else None


def _check_whole(back: Graph | Grouping, release: GraphRelease) -> None:
    """The file must hold what was released, nodes without edges too."""
    same = type(back) is type(release.graph)
    if not same or (back.nodes, back.edges) != (release.nodes, release.edges):
        raise verbs.BrokenPromise(
            f"the written file holds {back.nodes:,} nodes and {back.edges:,} edges instead of "
            f"{release.nodes:,} and {release.edges:,}, so it is withheld; this is a defect of Shoal, please "
            "report it"
        )


@contextmanager
def _write_mapping(release: GraphRelease, job: ProtectGraph) -> Iterator[Callable[[], None]]:
    """The mapping on disk, readable by its owner alone; the function gives it its name."""
    if job.mapping is None or release.mapping is None:
        yield lambda: None
        return
    target = Path(job.mapping).resolve()
    trial = target.with_name(f".shoal-{secrets.token_hex(6)}.tmp")
    try:
        handle = os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
        with os.fdopen(handle, "wb") as stream:
            release.mapping.write_csv(stream)
            stream.flush()
            os.fsync(stream.fileno())

        def named() -> None:
            trial.replace(target)

        yield named
    finally:
        trial.unlink(missing_ok=True)
