"""Probing: raise a degree a little and try again, until a graph is found (algorithms 9.4, 9.7 and 9.8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.core.progress import Progress, Watch
from shoal.graphs.building.construct_graph import Attempt, Order, construct_graph, supergraph
from shoal.graphs.building.probing_noise import noisier
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class ProbingResult:
    """The graph that was found, if any, and how often the degrees were changed before."""

    graph: Graph | None
    rounds: int


def probe_supergraph(
    graph: Graph,
    k: int,
    scheme: int,
    max_delta: int,
    generator: np.random.Generator,
    most: int,
    watch: Watch | None = None,
) -> ProbingResult:
    """Algorithm 9.4: a k-degree anonymous supergraph, or none after `most` rounds."""
    return _probe(
        lambda degrees: supergraph(graph, degrees, "random", generator),
        graph.degrees, k, "raise", scheme, max_delta, generator, most, watch,
    )  # fmt: skip


def probe_construction(
    graph: Graph,
    k: int,
    change: Change,
    order: Order,
    scheme: int,
    max_delta: int,
    generator: np.random.Generator,
    most: int,
    watch: Watch | None = None,
) -> ProbingResult:
    """The first eight lines of algorithms 9.7 ("raise") and 9.8 ("both"): any k-degree anonymous graph."""
    return _probe(
        lambda degrees: construct_graph(degrees, order, generator),
        graph.degrees, k, change, scheme, max_delta, generator, most, watch,
    )  # fmt: skip


def _probe(
    attempt: Callable[[Int64], Attempt],
    degrees: Int64,
    k: int,
    change: Change,
    scheme: int,
    max_delta: int,
    generator: np.random.Generator,
    most: int,
    watch: Watch | None,
) -> ProbingResult:
    for round_ in range(most + 1):
        target = anonymous_degrees(degrees, k, change)
        made = attempt(target)
        if made.graph is not None:
            return ProbingResult(made.graph, round_)
        if watch is not None and round_ % 100 == 0:
            watch(Progress(round_, most - round_, None, None))
        degrees = noisier(degrees, scheme, max_delta, bool(target.sum() % 2), generator)
    return ProbingResult(None, most)
