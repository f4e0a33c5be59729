from __future__ import annotations

import numpy as np

from graphs.matching.networks import circles, hidden_pair
from shoal.graphs.graph import Graph
from shoal.graphs.matching.profile_seeds import count_kinds, profile_seeds


def with_hubs() -> Graph:
    """A ring with some people whom many know."""
    ring, chance = circles(600, 8), np.random.default_rng(5)
    popular = np.repeat(np.arange(0, 600, 15), np.arange(40) * 3 + 10)
    ends = ring.edge_list()
    others = chance.integers(0, 600, len(popular))
    return Graph.of_edges(600, np.r_[ends.sources, popular], np.r_[ends.targets, others])


def test_people_with_many_friends_are_given_away_by_theirs() -> None:
    left, right, places = hidden_pair(with_hubs(), 0.95)
    found = profile_seeds(left, right, hubs=60, seeds=20)
    told = np.flatnonzero(found >= 0)
    assert len(told) >= 8
    assert (found[told] == places[told]).mean() >= 0.8


def test_a_network_with_fewer_edges_is_compared_all_the_same() -> None:
    graph, chance = with_hubs(), np.random.default_rng(6)
    ends = graph.edge_list()
    kept = chance.random(len(ends)) < 0.7
    thin = Graph.of_edges(graph.nodes, ends.sources[kept], ends.targets[kept])
    found = profile_seeds(thin, graph, hubs=60, seeds=20)
    told = np.flatnonzero(found >= 0)
    assert len(told) >= 5
    assert (found[told] == told).mean() >= 0.6


def test_a_graph_without_people_gives_nobody_away() -> None:
    nobody = Graph.of_edges(1, [], [])
    assert profile_seeds(nobody, nobody).tolist() == [-1]


def test_kinds_of_friends_are_counted_as_by_hand() -> None:
    graph = circles(60, 6)
    kind, nodes = np.minimum(graph.degrees, 7).astype(np.int64), np.array([3, 17, 40])
    friends, ends = count_kinds(graph.offsets, graph.targets, kind, nodes, 8)
    for row, node in enumerate(nodes.tolist()):
        near = graph.neighbours(node).tolist()
        far = [end for friend in near for end in graph.neighbours(friend).tolist()]
        assert friends[row].tolist() == np.bincount(kind[near], minlength=8).tolist()
        assert ends[row].tolist() == np.bincount(kind[far], minlength=8).tolist()
