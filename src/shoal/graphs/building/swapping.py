"""Given degrees reached from the original graph with as few changed edges as can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.graphs.building.construct_graph import joined, state_of
from shoal.graphs.graph import Edges, Graph, Int64

_LOOKED_AT = 10_000_000  # edges looked at one by one, in all, where random tries fail


@dataclass(frozen=True)
class Edited:
    """Edges to add and to remove, the degrees that the graph then has, and how many ends are still wrong."""

    added: Edges
    removed: Edges
    degrees: Int64
    left: int


def edited(
    graph: Graph, degrees: Int64, k: int, allowed: int, insist: bool, generator: np.random.Generator
) -> Edited:
    """Change edges until every node has its degree, or nothing more can be done.

    Cheapest first, per two ends that are mended: an edge dropped between two nodes with too many, or added
    between two with too few (one change); an edge turned from one with too many to one with too few (two);
    an edge x–y that gives way to u–x and v–y when u and v are both short and know each other already (one
    when x–y was new; else three, and only so many are `allowed`); an end taken from or given to somebody of a
    large degree class (two, and classes stay above k). Who insists gets exchanges without a limit then, and
    x–y for u–x and v–y when u and v have too many (three).
    """
    from shoal.graphs.building import edge_editing as kernels
    from shoal.graphs.building import edge_exchanging as exchanging

    goal = degrees.copy()
    need = goal - graph.degrees
    counts = np.bincount(goal)
    capacity = 1 << int(4 * np.abs(need).sum() + 64).bit_length()
    keys, signs = np.full(capacity, -1, np.int64), np.zeros(capacity, np.int8)
    table = (graph.offsets, graph.targets, keys, signs, need)
    state = state_of(generator)
    scans = min(500, max(4, _LOOKED_AT // max(1, graph.edges + graph.nodes)))

    kernels.dropped(*table, _ranked(-need))
    short = np.maximum(need, 0)
    if short.any():
        new = joined(graph, short, "highest", generator, lenient=True)
        kernels.entered(graph.nodes, keys, signs, new.edges.sources, new.edges.targets)
        need += new.unmet - short
    if (need > 0).any() and (need < 0).any():
        kernels.turned(*table, _ranked(-need), _ranked(need), state)
    for most in (allowed, graph.edges):
        if (need > 0).any():
            exchanging.exchanged(*table, _ranked(need), keys[signs > 0], most, scans, state)
        if need.any():
            exchanging.spread(*table, goal, counts, k, _ranked(np.abs(need)), scans, state)
        if not insist and int(np.abs(need).sum()) > allowed // 2 + 16:
            break  # a few more than allowed are nothing; many would be another graph
    if (need < 0).any():
        exchanging.shortened(*table, _ranked(-need), _LOOKED_AT // 100, state)
    added, removed = _edges(keys[signs > 0], graph.nodes), _edges(keys[signs < 0], graph.nodes)
    return Edited(added, removed, goal - need, int(np.abs(need).sum()))


def _ranked(amounts: Int64) -> Int64:
    """Nodes with a positive amount, the largest first."""
    nodes = np.flatnonzero(amounts > 0)
    return nodes[np.argsort(-amounts[nodes], kind="stable")]


def _edges(keys: Int64, nodes: int) -> Edges:
    keys = np.sort(keys)
    return Edges((keys // nodes).astype(np.int32), (keys % nodes).astype(np.int32))
