"""Both ways, and the one that adds fewer edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.graphs.graph import Edges, Graph, Int64
from shoal.graphs.methods.neighbourhood.equalise import Levels
from shoal.graphs.methods.neighbourhood.twins import Twins
from shoal.graphs.methods.neighbourhood.working_graph import Work
from shoal.graphs.neighbourhoods.classes import alike, edges_inside

Way = Literal["auto", "levels", "twins"]

_LOOKS = 40_000_000  # about half a minute; hubs that are near to everybody find no friends by looking longer
_MANY = 8  # times the edges of a graph: beyond, copying what unsafe nodes have is no way to go


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The edges after which every neighbourhood occurs k times, and how they came about."""

    added: Edges
    way: str
    rounds: int
    unsafe: int  # nodes whose neighbourhood was too rare before
    twins: int  # nodes that became twins of others


def search(graph: Graph, k: int, kinds: Int64, way: Way, tick: Callable[[int], None]) -> SearchResult:
    """Add edges until every neighbourhood occurs at least k times; every kind must have k nodes.

    `kinds` are numbers from 0 up that must agree, zeros where they do not count.
    """
    unsafe = _unsafe(graph, k, kinds)
    if not len(unsafe):
        return SearchResult(Work(graph, k).edges(), "nothing to do", 0, 0, 0)
    most = graph.nodes * graph.nodes  # more than there can be
    found = []
    # The sparse way does not look at kinds.
    copied = int(edges_inside(graph)[unsafe].sum()) * (k - 1)
    if not kinds.any() and (way == "levels" or (way == "auto" and copied <= _MANY * graph.edges)):
        work = Work(graph, k)
        patience = (most, most * graph.nodes) if way == "levels" else (_MANY * graph.edges + k * k, _LOOKS)
        finished = Levels(work, tick).run(*patience)
        rounds = _make_twins(work, kinds, most, tick) if finished else None
        if rounds is not None:
            found.append(SearchResult(work.edges(), "levels", rounds, len(unsafe), _in_units(work)))
            most = work.added
    if way != "levels" or not found:
        work = Work(graph, k)
        rounds = _make_twins(work, kinds, most, tick)
        if rounds is not None:
            found.append(SearchResult(work.edges(), "twins", rounds, len(unsafe), _in_units(work)))
    return min(found, key=lambda one: len(one.added))


def _make_twins(work: Work, kinds: Int64, most: int, tick: Callable[[int], None]) -> int | None:
    """Put whoever is unsafe into units until nobody is, in so many rounds; None after too many edges."""
    work.watched = False
    twins = Twins(work, kinds.tolist(), tick)
    rounds = 0
    while True:
        unsafe = _unsafe(work.graph(), work.k, kinds)
        if not len(unsafe):
            return rounds
        if not twins.gather(unsafe.tolist(), most):
            return None
        rounds += 1


def _unsafe(graph: Graph, k: int, kinds: Int64) -> Int64:
    classes = alike(graph, kinds)
    return np.flatnonzero(np.bincount(classes)[classes] < k) if len(classes) else classes


def _in_units(work: Work) -> int:
    return sum(map(len, work.units))
