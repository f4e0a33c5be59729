"""People who put together what they know: how many friends each has, and who these are.

They find themselves in the release first, and then the friends that only they know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.core.deadline import check_time
from shoal.graphs.attacker_reasoning.known_members import known_by
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacker_reasoning.subgraph_search import Matches, Pattern, find_subgraph
from shoal.graphs.attacker_reasoning.tolerant_search import Sought
from shoal.graphs.graph import Graph, Int64

NOBODY = -1
FAR = 2  # so many edges to members may differ, if at least one is as it was


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
    check_time()
    added, removed = slack * scene.adds, slack * scene.removes
    order = in_order(known, members)
    them = Sought.of(known, order)
    pattern = Pattern(them.joined, them.degrees - removed, them.degrees + added, them.shared, removed, added)
    matches = find_subgraph(released, pattern, added, removed)
    nodes = matches.agreed
    friends = np.setdiff1d(np.concatenate([known.neighbours(member) for member in order]), order)
    return Circle(order, nodes, friends, find_friends(known, released, scene, order, nodes, friends), matches)


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


def nearest_nodes(released: Graph, members: Int64, codes: Sequence[int], adds: bool, removes: bool) -> Int64:
    """Per code, the one node that knows just these members, or nearly so where edges may have been changed.

    -1 where there is none, or more than one as near, or where two codes lead to one node.
    """
    seen: dict[int, list[int]] = {}
    for node, code in known_by(released, members).items():
        seen.setdefault(code, []).append(node)
    found = []
    for code in codes:
        nodes: list[int] = []
        near = min(FAR, code.bit_count() - 1)
        for other, there in seen.items():
            added, removed = (other & ~code).bit_count(), (code & ~other).bit_count()
            if (added and not adds) or (removed and not removes) or added + removed > near:
                continue
            nodes = [*(nodes if added + removed == near else []), *there]
            near = added + removed
        if adds and len(nodes) > 1:  # added edges lead to hubs, which the members know by them
            small = min(released.degrees[node] for node in nodes)
            nodes = [node for node in nodes if released.degrees[node] == small]
        found.append(nodes[0] if len(nodes) == 1 else NOBODY)
    many = Counter(found)
    return np.array([node if many[node] == 1 else NOBODY for node in found], np.int64)


def find_friends(
    known: Graph, released: Graph, scene: Scene, members: Int64, nodes: Int64, friends: Int64
) -> Int64:
    """Per friend of some members, the node that knows the same of those who were found; else -1."""
    sure = nodes != NOBODY
    theirs = known_by(known, members[sure])
    # Of two friends whom the same members know, neither is found.
    many = Counter(theirs.values())
    codes = [theirs.get(friend, 0) for friend in friends.tolist()]
    codes = [code if many[code] == 1 else 0 for code in codes]
    return nearest_nodes(released, nodes[sure], codes, scene.adds, scene.removes)
