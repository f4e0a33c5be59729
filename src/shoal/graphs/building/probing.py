"""Probing: raise a degree a little and try again, until a graph is found (algorithms 9.4, 9.7 and 9.8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.core.progress import Progress, Watch
from shoal.graphs.building.construct_graph import Attempt, Order, construct_graph, supergraph
from shoal.graphs.building.noise_schemes import noisier
from shoal.graphs.building.programme import Change, anonymised
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class Probed:
    """The graph that was found, if any, and how often the degrees were changed before."""

    graph: Graph | None
    rounds: int


def probed_supergraph(
    graph: Graph,
    k: int,
    scheme: int,
    max_delta: int,
    generator: np.random.Generator,
    most: int,
    watch: Watch | None = None,
) -> Probed:
    """Algorithm 9.4: a k-degree anonymous supergraph, or none after `most` rounds."""
    return _probed(
        lambda degrees: supergraph(graph, degrees, "random", generator),
        graph.degrees, k, "raise", scheme, max_delta, generator, most, watch,
    )  # fmt: skip


def probed_construction(
    graph: Graph,
    k: int,
    change: Change,
    order: Order,
    scheme: int,
    max_delta: int,
    generator: np.random.Generator,
    most: int,
    watch: Watch | None = None,
) -> Probed:
    """The first eight lines of algorithms 9.7 ("raise") and 9.8 ("both"): any k-degree anonymous graph."""
    return _probed(
        lambda degrees: construct_graph(degrees, order, generator),
        graph.degrees, k, change, scheme, max_delta, generator, most, watch,
    )  # fmt: skip


def _probed(
    attempt: Callable[[Int64], Attempt],
    degrees: Int64,
    k: int,
    change: Change,
    scheme: int,
    max_delta: int,
    generator: np.random.Generator,
    most: int,
    watch: Watch | None,
) -> Probed:
    for round_ in range(most + 1):
        target = anonymised(degrees, k, change)
        made = attempt(target)
        if made.graph is not None:
            return Probed(made.graph, round_)
        if watch is not None and round_ % 100 == 0:
            watch(Progress(round_, most - round_, None, None))
        degrees = noisier(degrees, scheme, max_delta, bool(target.sum() % 2), generator)
    return Probed(None, most)
