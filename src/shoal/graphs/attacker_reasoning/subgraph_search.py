"""Find some people again who know how they are joined among themselves, and how many friends they have.

A depth-first walk through the tree of all partial answers: a branch ends where somebody has too few or too
many friends, or where more edges among those found are wrong than an anonymiser is believed to have changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.attacker_reasoning import subgraph_kernels as kernels
from shoal.graphs.graph import Graph, Int64

MOST_STEPS = 200_000_000  # of the tree, some seconds
MOST_FOUND = 64  # more than one answer is no answer; a few are kept to see what they agree on


@dataclass(frozen=True, eq=False)
class Pattern:
    """People in the order in which they are looked for: who knows whom, and how many friends each may have.

    Whoever knows somebody before them is looked for among that person's friends.
    """

    joined: NDArray[np.bool_]
    least: Int64
    most: Int64


@dataclass(frozen=True, eq=False)
class Matches:
    """Answers, one row each; how many nodes the tree had, and whether all of it was seen."""

    nodes: Int64
    tree: int
    whole: bool

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def agreed(self) -> Int64:
        """Per person, the node in all answers; -1 where they differ, or where not all were seen."""
        if not len(self.nodes) or not self.whole or len(self.nodes) == MOST_FOUND:
            return np.full(self.nodes.shape[1], -1)
        return np.where((self.nodes == self.nodes[0]).all(axis=0), self.nodes[0], -1)


def find_subgraph(
    graph: Graph, pattern: Pattern, added: int = 0, removed: int = 0, steps: int = MOST_STEPS
) -> Matches:
    """Everybody who may be these people, if at most so many edges among them were added and removed."""
    order = np.argsort(graph.degrees, kind="stable").astype(np.int32)
    degrees = graph.degrees
    sorted_degrees = degrees[order]
    starts = np.searchsorted(sorted_degrees, pattern.least, "left")
    ends = np.searchsorted(sorted_degrees, pattern.most, "right")
    found, tree, whole = kernels.search_tree(
        graph.offsets,
        graph.targets,
        degrees,
        order,
        starts,
        ends,
        pattern.joined,
        pattern.least,
        pattern.most,
        added,
        removed,
        MOST_FOUND,
        steps,
    )
    return Matches(found, int(tree), bool(whole))
