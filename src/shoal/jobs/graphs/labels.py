"""What the nodes of a release are called: names never go out, unless the owner says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from shoal.core.chance import generator, shuffled
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.requests import ProtectGraph

LONG = 10**8  # nine digits
GONE = (
    "the labels look like names or telephone numbers, so every node got a random number instead; "
    "--labels keep leaves them"
)
KEPT = (
    "the labels are whole numbers and were kept, as pseudonyms that mean nothing to others; if they do mean "
    "something, give --labels random"
)
GUESSED = "whoever guesses the seed can undo the new labels; leave it away for the release that goes out"
APART = "the mapping in '{}' tells who is who; keep it apart from the release"


def check_labels(graph: Graph, job: ProtectGraph, method: Any) -> None:
    """Refuse labels that cannot be had before any work is done."""
    if method.relabels and job.labels == "keep":
        raise BadParameter(f"{method.name} gives new labels itself; leave out --labels keep")
    if method.relabels:  # it makes a mapping by itself
        return
    if job.mapping is not None and job.labels is None and not _names(graph):
        raise BadParameter(
            "the labels are whole numbers, which are kept, so there is no mapping; give --labels random, too"
        )


def labelled(release: GraphRelease, job: ProtectGraph) -> GraphRelease:
    """The release under the labels that go out, its nodes in their order."""
    graph = release.graph
    if not isinstance(graph, Graph) or not release.paired:
        return _made_up(release, job)
    if release.mapping is not None:  # the method has given new labels by itself
        return release.noted(_notes(job, ()))
    if job.labels == "random" or (job.labels is None and _names(graph)):
        told = () if job.labels else (GONE,)
        return release.relabelled(_order(graph.nodes, job.seed)).noted(_notes(job, told))
    return release.in_order().noted(() if job.labels else (KEPT,))


def _made_up(release: GraphRelease, job: ProtectGraph) -> GraphRelease:
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


def _names(graph: Graph) -> bool:
    """Whether labels may name people: all text, and numbers as long as those of telephones and accounts."""
    if graph.labels is None or graph.labels.is_empty():
        return False
    if graph.labels.dtype == pl.String:
        return True
    longest = max(abs(int(end)) for end in (graph.labels.min(), graph.labels.max()))  # type: ignore[arg-type]
    return longest >= LONG


def _order(nodes: int, seed: int | None) -> Any:
    if seed is None:
        return shuffled(nodes)
    # A stream of its own: the method draws from the seed itself.
    return np.asarray(generator(seed).spawn(1)[0].permutation(nodes), np.int64)


def _notes(job: ProtectGraph, told: tuple[str, ...]) -> list[str]:
    notes = list(told)
    if job.seed is not None:
        notes.append(GUESSED)
    if job.mapping is not None:
        notes.append(APART.format(job.mapping))
    return notes
