"""Added edges that look like true ones."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from shoal.core.errors import BadParameter
from shoal.graphs.building.anonymise_degrees import reach
from shoal.graphs.graph import Edges, Graph, Int64

_STEPS = 3_000_000_000  # friends of friends that are looked at
_MOST = 1.5  # times as many edges: then there are too few people to choose from
Partners = Literal["any", "near", "alike"]
FEW = "too few people look like true friends, so partners=near was used, which needs no further edge"
NOTHING = Edges(np.empty(0, np.int32), np.empty(0, np.int32))


def near_partners(
    graph: Graph,
    added: Edges,
    k: int,
    chance: np.random.Generator,
    removed: Edges = NOTHING,
) -> Edges:
    """As many added edges, with partners who look like true friends where there are some.

    Link prediction finds edges between strangers. Each added edge keeps the end that has more of them (a hub
    that lacks friends, mostly). For each, one of that person's true friends is drawn, and of all friends of
    friends, by added edges too, the one is taken who has about as many friends, and as many in common, as
    long as every degree is still shared by k: whoever loses the edge goes back by one degree, and whoever
    takes it goes on by one. `graph` is without the `removed` edges, none of which is added again. With k = 1
    only looks count, and degrees have to be mended afterwards.
    """
    from shoal.graphs.building import near_partners_kernels as kernels

    if not len(added):
        return added
    barred = Graph.of_edges(graph.nodes, removed.sources, removed.targets)
    ends = _kept_and_given(graph.nodes, added)
    degrees = graph.degrees + np.bincount(_ends(added), minlength=graph.nodes)
    sizes = np.bincount(degrees, minlength=int(degrees.max()) + len(added) + 2)
    keeps, anchors, starts, partners = _by_anchor(*ends)
    taken = np.zeros(graph.nodes, np.bool_)
    taken[anchors] = True
    first = graph.offsets[keeps]
    models = first + (chance.random(len(keeps)) * graph.degrees[keeps]).astype(np.int64)
    for again in (False, True):
        kernels.exchange_added(
            (graph.offsets, graph.targets),
            (barred.offsets, barred.targets),
            (anchors, starts, partners),
            *(models, taken, degrees, sizes, k, _STEPS),
            again,
        )
    return Edges(np.minimum(keeps, partners).astype(np.int32), np.maximum(keeps, partners).astype(np.int32))


def check_partners(method: str, partners: str) -> None:
    """Refuse what nobody knows."""
    if partners not in get_args(Partners):
        raise BadParameter(f"{method}(partners={partners}) is unknown; give near, alike, or any")


def too_many(changes: int, before: int) -> bool:
    """Whether partners who look alike cost more than they are worth."""
    return changes > _MOST * before


def alike_partners(graph: Graph, added: Edges, k: int, chance: np.random.Generator) -> Edges | None:
    """Added edges whose partners look like true friends whatever that does to degrees, and edges that mend
    these; None where that takes many more edges."""
    first = near_partners(graph, added, 1, chance)
    middle = graph.with_edges(added=first)
    rest = reach(middle, k, "raise", chance)
    if rest.resort or too_many(len(first) + len(rest.pairs), len(added)):
        return None
    more = near_partners(middle, rest.pairs, k, chance)
    return Edges(np.concatenate((first.sources, more.sources)), np.concatenate((first.targets, more.targets)))


def _kept_and_given(nodes: int, added: Edges) -> tuple[Int64, Int64]:
    """Per added edge the end that has more of them, and the other one."""
    sources, targets = added.sources.astype(np.int64), added.targets.astype(np.int64)
    number = np.bincount(_ends(added), minlength=nodes)
    turned = (number[targets] > number[sources]) | (
        (number[targets] == number[sources]) & (targets < sources)
    )
    return np.where(turned, targets, sources), np.where(turned, sources, targets)


def _by_anchor(
    keeps: Int64, gives: Int64
) -> tuple[Int64, Int64, Int64, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    """Edges by the end that keeps them, most first: these ends, the same once each, where each begins."""
    number = np.bincount(keeps)
    order = np.lexsort((keeps, -number[keeps]))
    keeps, partners = keeps[order], gives[order].astype(np.int32)
    starts = np.flatnonzero(np.concatenate(([True], keeps[1:] != keeps[:-1], [True])))
    return keeps, keeps[starts[:-1]], starts, partners


def _ends(edges: Edges) -> Int64:
    return np.concatenate((edges.sources, edges.targets)).astype(np.int64)
