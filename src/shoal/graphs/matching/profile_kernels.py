"""The compiled loop of degree profiles; the tests have its plain twin."""

from __future__ import annotations

import numpy as np

from shoal.core.compiled import compiled
from shoal.graphs.graph import Int32, Int64


@compiled
def count_kinds(offsets: Int64, targets: Int32, kind: Int64, nodes: Int64, kinds: int) -> tuple[Int64, Int64]:
    """Of some nodes, how many friends of each kind they have, and how many of these their friends have."""
    of_friends = np.zeros((len(offsets) - 1, kinds), np.int32)
    for node in range(len(offsets) - 1):
        for at in range(offsets[node], offsets[node + 1]):
            of_friends[node, kind[targets[at]]] += 1
    friends, ends = np.zeros((len(nodes), kinds), np.int64), np.zeros((len(nodes), kinds), np.int64)
    for row in range(len(nodes)):
        node = nodes[row]
        for each in range(kinds):
            friends[row, each] = of_friends[node, each]
        for at in range(offsets[node], offsets[node + 1]):
            for each in range(kinds):
                ends[row, each] += of_friends[targets[at], each]
    return friends, ends
