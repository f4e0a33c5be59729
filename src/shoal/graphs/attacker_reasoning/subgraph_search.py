"""Find some people again who know how they are joined among themselves, and how many friends they have.

A depth-first walk through the tree of all partial answers: a branch ends where somebody has too few or too
many friends, or where more edges among those found are wrong than an anonymiser is believed to have changed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.attacker_reasoning import subgraph_kernels as kernels
from shoal.graphs.graph import MOST_NODES, Graph, Int64

MOST_STEPS = 200_000_000  # of the tree, some seconds
MOST_CODED = 62  # people that fit into the bits of a number
MOST_FOUND = 64  # more than one answer is no answer; a few are kept to see what they agree on


@dataclass(frozen=True, eq=False)
class Pattern:
    """People in the order in which they are looked for: who knows whom, and how many friends each may have.

    Whoever knows somebody before them is looked for among that person's friends. `shared` is how many friends
    two of them have in common, where that is known, give or take `shared_less` and `shared_more`. `codes` are
    sets of them that somebody else knows, and nobody else of them, as the bits of a number; `unseen` of these
    may be gone.
    """

    joined: NDArray[np.bool_]
    least: Int64
    most: Int64
    shared: Int64 | None = None
    shared_less: int = 0
    shared_more: int = 0
    codes: tuple[int, ...] = ()
    unseen: int = 0

    def in_common(self) -> tuple[Int64, Int64]:
        """The fewest and the most friends that two of them may share."""
        if self.shared is None:
            return np.zeros(self.joined.shape, np.int64), np.full(self.joined.shape, MOST_NODES)
        return self.shared - self.shared_less, self.shared + self.shared_more


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
        if not len(self.nodes) or not self.whole:
            return np.full(self.nodes.shape[1], -1)
        return np.where((self.nodes == self.nodes[0]).all(axis=0), self.nodes[0], -1)


def shared_friends(graph: Graph, nodes: Int64) -> Int64:
    """How many friends each two of some people have in common."""
    rows = (graph.offsets, graph.targets)
    return np.array(
        [[kernels.common_friends(*rows, one, other) for other in nodes.tolist()] for one in nodes.tolist()],
        np.int64,
    ).reshape(len(nodes), len(nodes))


def find_subgraph(
    graph: Graph,
    pattern: Pattern,
    added: int = 0,
    removed: int = 0,
    steps: int = MOST_STEPS,
    enough: int = MOST_FOUND,
) -> Matches:
    """Everybody who may be these people, if at most so many edges among them were added and removed."""
    # Whoever knows nobody before them is looked for among all who have as many friends.
    alone = np.asarray(~np.triu(pattern.joined, 1).any(axis=0))
    lists = [
        np.flatnonzero((graph.degrees >= least) & (graph.degrees <= most)) if first else np.empty(0, np.int64)
        for first, least, most in zip(alone.tolist(), pattern.least, pattern.most, strict=True)
    ]
    ends = np.cumsum([len(one) for one in lists])
    found, tree, whole = kernels.search_tree(
        graph.offsets,
        graph.targets,
        graph.degrees,
        np.concatenate(lists).astype(np.int32),
        ends - [len(one) for one in lists],
        ends,
        pattern.joined,
        pattern.least,
        pattern.most,
        *pattern.in_common(),
        np.array(pattern.codes if len(pattern.least) <= MOST_CODED else (), np.int64),
        added,
        removed,
        pattern.unseen,
        enough,
        steps,
    )
    return Matches(found, int(tree), bool(whole))
