"""The search for the partition under which a graph is most likely: the one with the fewest worlds.

Simulated annealing, as in the paper, from a start that is good already. A group of 2k people or more can be
cut in two without adding a world, so that groups have k to 2k - 1 people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.core.progress import Progress, Watch
from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.grouping import Grouping
from shoal.graphs.methods.grouping.initial_partition import any_groups, first_groups

_WORK = 500_000_000  # edges looked at, all rounds together: some tens of seconds
_MOST_ROUNDS = 200
_SMALL = 3_000  # nodes; below, several starts are cheap
_MOST_STARTS = 12
_TRIES = 12  # members that a node may be exchanged for, per visit
_LOGS = 1 << 20  # log n! is looked up below this, and computed beyond
_HOT, _WARM = 1.0, 0.3  # heat at the beginning, and when cooling ends
_HOTTER = 3.0  # for a start that has nothing worth keeping
_COOLING = 0.8  # of the rounds; in the others only what improves is done
_FEWER = (0.7, 0.85)  # when, in rounds, it is tried to do with fewer groups
_FEW = 10  # rounds; with fewer there is no time for anything but what improves at once


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The best partition met, and how the search went."""

    group_of: Int32
    log_worlds: float
    start_log_worlds: float
    rounds: int


class Partition:
    """The groups as they are now."""

    def __init__(self, graph: Graph, k: int, group_of: Int32) -> None:
        self.graph, self.k = graph, k
        self.group_of = group_of.copy()
        self.sizes: Int64 = np.bincount(group_of).astype(np.int64)
        groups = len(self.sizes)
        order = np.argsort(group_of, kind="stable")
        starts = np.cumsum(self.sizes) - self.sizes
        self.place_of = np.empty(graph.nodes, np.int32)
        self.place_of[order] = np.arange(graph.nodes) - np.repeat(starts, self.sizes)
        self.members = np.full((groups, 2 * k), -1, np.int32)
        self.members[group_of, self.place_of] = np.arange(graph.nodes)
        self.rows = np.zeros((4, groups), np.int32)
        self.seen = np.empty((4, groups), np.int32)
        most = min(4 * k * k, _LOGS)
        self.logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, most + 1)))))

    def visit(self, heat: float, chance: np.random.Generator) -> float:
        """Offer every node another group; returns the change of the cost."""
        from shoal.graphs.methods.grouping import search_kernels as kernels

        order = chance.permutation(self.graph.nodes)
        return float(kernels.visit(order, self.k, heat, _TRIES, *self._state(chance)))

    def do_without(self, chance: np.random.Generator) -> float:
        """Try to do without every group in turn; returns the change of the cost."""
        from shoal.graphs.methods.grouping import search_kernels as kernels

        change = 0.0
        for group in chance.permutation(len(self.sizes)):
            if self.sizes[group]:
                change += kernels.dissolve(group, self.k, _TRIES, *self._state(chance))
        return change

    def belongs(self) -> Int32:
        """A group per node, numbered without gaps."""
        return np.unique(self.group_of, return_inverse=True)[1].astype(np.int32)

    def _state(self, chance: np.random.Generator) -> tuple[Any, ...]:
        where = (self.group_of, self.place_of, self.members, self.sizes)
        return (self.graph.offsets, self.graph.targets, *where, self.logs, self.rows, self.seen, chance)


def most_likely(
    graph: Graph, k: int, rounds: int | None, chance: np.random.Generator, watch: Watch | None = None
) -> SearchResult:
    """A partition into groups of at least k with as few worlds as the search finds; the same for a seed.

    There must be at least k nodes. Without `rounds`, as many as tens of seconds allow; by the size of the
    graph, never by the clock.
    """
    first = np.arange(graph.nodes, dtype=np.int32) if k == 1 else first_groups(graph, k)
    cost = Grouping.of_graph(graph, first).log_worlds
    best = SearchResult(first, cost, cost, 0)
    if k == 1 or graph.nodes < 2 * k or not graph.edges:
        return best  # nothing to choose, or nothing to gain
    rounds = affordable_rounds(graph, k) if rounds is None else rounds
    starts = 1 if graph.nodes > _SMALL or not rounds else min(_MOST_STARTS, 1 + _SMALL // graph.nodes)
    for number in range(starts):
        groups = first if number == 0 else any_groups(graph.nodes, k, chance)
        partition = Partition(graph, k, groups)
        for done in range(rounds):
            partition.visit(_heat(done, rounds, _HOTTER if number else _HOT), chance)
            if rounds >= _FEW and done in [int(share * rounds) for share in _FEWER]:
                partition.do_without(chance)
            if watch is not None:
                passed = number * rounds + done + 1
                watch(Progress(passed, starts * rounds - passed, best.log_worlds, None))
        found = partition.belongs()
        worlds = Grouping.of_graph(graph, found).log_worlds
        if worlds < best.log_worlds:
            best = SearchResult(found, worlds, cost, starts * rounds)
    return best


def affordable_rounds(graph: Graph, k: int) -> int:
    """How many visits to all nodes take some tens of seconds; none for very large graphs or groups."""
    visit = (len(graph.targets) + graph.nodes) * (2 * k + _TRIES)
    return min(_WORK // visit, _MOST_ROUNDS)


def _heat(done: int, rounds: int, hot: float) -> float:
    share = done / rounds
    return 0.0 if share >= _COOLING or rounds < _FEW else hot * (_WARM / hot) ** (share / _COOLING)
