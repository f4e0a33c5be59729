"""People who put together what they know: how many friends each has, and who these are.

They find themselves in the release first, and then the friends that only they know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacker_reasoning.subgraph_search import Matches, Pattern, find_subgraph
from shoal.graphs.graph import Graph, Int64

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Circle:
    """Members, by their nodes in the network that they know, and how well each of them was found.

    `friends` are those who are no members; `nodes` and `friend_nodes` are places in the release, -1 where
    they are not certain.
    """

    members: Int64
    nodes: Int64
    friends: Int64
    friend_nodes: Int64
    matches: Matches


def find_circle(known: Graph, released: Graph, scene: Scene, members: Sequence[int], slack: int) -> Circle:
    """Where some people who pool their knowledge find themselves and their friends in the release.

    `slack` is how many edges of one person, or among the members, may have been added or removed, as far as
    the method does either.
    """
    added, removed = slack * scene.adds, slack * scene.removes
    order = in_order(known, members)
    joined = np.array([[known.has(one, other) for other in order] for one in order], np.bool_)
    degrees = known.degrees[order]
    pattern = Pattern(joined.reshape(len(order), -1), degrees - removed, degrees + added)
    matches = find_subgraph(released, pattern, added, removed)
    nodes = matches.agreed
    friends = np.setdiff1d(np.concatenate([known.neighbours(member) for member in order]), order)
    return Circle(order, nodes, friends, _found(known, released, order, nodes, friends), matches)


def in_order(known: Graph, members: Sequence[int]) -> Int64:
    """Members so that each knows one before them, where that can be; rare numbers of friends come first."""
    rarity = np.bincount(known.degrees)[known.degrees[list(members)]]
    waiting = [member for _, member in sorted(zip(rarity.tolist(), members, strict=True))]
    order: list[int] = []
    while waiting:
        near = [one for one in waiting if any(known.has(one, other) for other in order)]
        order.append((near or waiting)[0])
        waiting.remove(order[-1])
    return np.array(order, np.int64)


def known_by(graph: Graph, members: Int64) -> dict[int, int]:
    """Who knows some of the members, and which ones: bit i stands for member i."""
    found: dict[int, int] = {}
    for place, member in enumerate(members.tolist()):
        for friend in graph.neighbours(member).tolist():
            found[friend] = found.get(friend, 0) | 1 << place
    for member in members.tolist():
        found.pop(member, None)
    return found


def _found(known: Graph, released: Graph, members: Int64, nodes: Int64, friends: Int64) -> Int64:
    """Per friend, the one node that knows the same members; -1 where there is none, or more."""
    sure = nodes != NOBODY
    theirs, seen = known_by(known, members[sure]), known_by(released, nodes[sure])
    at: dict[int, int] = {}
    for node, code in seen.items():
        at[code] = NOBODY if code in at else node  # two of them cannot be told apart
    # Of two friends whom the same members know, neither is found.
    many = Counter(theirs.values())
    codes = [theirs.get(friend, 0) for friend in friends.tolist()]
    return np.array([at.get(code, NOBODY) if many[code] == 1 else NOBODY for code in codes], np.int64)
