from __future__ import annotations

import numpy as np

from graphs.matching.networks import circles
from shoal.graphs.matching.profile_kernels import count_kinds


def test_kinds_of_friends_are_counted_as_by_hand() -> None:
    graph = circles(60, 6)
    kind, nodes = np.minimum(graph.degrees, 7).astype(np.int64), np.array([3, 17, 40])
    friends, ends = count_kinds(graph.offsets, graph.targets, kind, nodes, 8)
    for row, node in enumerate(nodes.tolist()):
        near = graph.neighbours(node).tolist()
        far = [end for friend in near for end in graph.neighbours(friend).tolist()]
        assert friends[row].tolist() == np.bincount(kind[near], minlength=8).tolist()
        assert ends[row].tolist() == np.bincount(kind[far], minlength=8).tolist()
