"""Pairs of people in two networks who are believed to be the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.graph import Graph, Int32, Int64

NOBODY = np.int32(-1)
Rows = tuple[Int64, Int32, Int64, Int32]  # whom each node points to, and who points to it


@dataclass(frozen=True, eq=False)
class Matching:
    """Per person of one network, their node in the other and -1 for nobody; no node is taken twice."""

    nodes: Int32
    rounds: int = 0  # until nothing changed any more
    complete: bool = True  # False where the time was over before

    def __len__(self) -> int:
        return int((self.nodes != NOBODY).sum())


@dataclass(frozen=True)
class Score:
    """How many people were matched rightly and wrongly, of those who can be found at all."""

    right: int
    wrong: int
    people: int


def rate(matching: Matching, places: Int64, asked: NDArray[np.bool_]) -> Score:
    """A matching beside the truth, for the people who are asked about."""
    guess = matching.nodes[asked]
    right = guess == places[asked]
    return Score(int(right.sum()), int(((guess != NOBODY) & ~right).sum()), int(asked.sum()))


def rows_of(graph: Graph) -> Rows:
    """Both directions of a graph; an undirected one has the same rows twice."""
    if not graph.directed:
        return graph.offsets, graph.targets, graph.offsets, graph.targets
    ends = graph.edge_list()
    back = Graph.of_edges(graph.nodes, ends.targets, ends.sources, directed=True)
    return graph.offsets, graph.targets, back.offsets, back.targets


def inverse(nodes: Int32, number: int) -> Int32:
    """The same pairs, per node of the other network."""
    back = np.full(number, NOBODY)
    matched = np.flatnonzero(nodes != NOBODY)
    back[nodes[matched]] = matched
    return back
