from __future__ import annotations

import numpy as np

from graphs.matching.networks import circles
from shoal.graphs.graph import Graph
from shoal.graphs.matching.clique_seeds import clique_seeds


def test_a_clique_with_known_degrees_and_shared_friends_is_found() -> None:
    ring, chance = circles(300, 8), np.random.default_rng(4)
    ends = ring.edge_list()
    clique = [10, 60, 110, 160, 210]
    within = [(one, other) for at, one in enumerate(clique) for other in clique[at + 1 :]]
    popular = np.repeat(clique, [20, 45, 75, 110, 150])
    graph = Graph.of_edges(
        300,
        np.r_[ends.sources, popular, [one for one, _ in within]],
        np.r_[ends.targets, chance.integers(0, 300, len(popular)), [other for _, other in within]],
    )
    places = chance.permutation(300)
    found = clique_seeds(graph, graph.moved(places))
    assert (found[clique] == places[clique]).all()
    told = np.flatnonzero(found >= 0)
    assert (found[told] == places[told]).all()


def test_a_clique_that_is_like_another_is_not_told() -> None:
    five = [(one, other) for one in range(5) for other in range(one)]
    twice = five + [(one + 5, other + 5) for one, other in five]
    graph = Graph.of_edges(10, *np.array(twice).T)
    assert (clique_seeds(graph, graph) == -1).all()
