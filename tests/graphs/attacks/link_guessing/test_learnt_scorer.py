"""The scorer that learns from the release."""

import numpy as np

from graphs.drawn import graph_of
from shoal.graphs.attacks.link_guessing.learnt_scorer import LearntScorer
from shoal.graphs.attacks.link_guessing.scores import Space, area_under_curve, missing_pairs, scores_of
from shoal.graphs.graph import Graph


def circles(number: int = 12, size: int = 8) -> Graph:
    """Circles of people who nearly all know each other, in a ring."""
    pairs = []
    for circle in range(number):
        first = circle * size
        pairs += [(first + a, first + b) for b in range(size) for a in range(b) if (a + b) % 5]
        pairs.append((first, (first + size) % (number * size)))
    return graph_of(number * size, *pairs)


def test_it_learns_who_knows_whom() -> None:
    graph, chance = circles(), np.random.default_rng(1)
    space, scorer = Space.of(graph, chance), LearntScorer.of(graph, chance)
    edges = scorer.scores(scores_of(graph, graph.edge_list(), True, space))
    gaps = scorer.scores(scores_of(graph, missing_pairs(graph, 300, chance), False, space))
    area = area_under_curve(edges, gaps)
    assert area is not None and area > 0.85


def test_it_learns_nothing_from_nothing_and_does_not_fail() -> None:
    for nodes in (0, 1, 4):
        graph, chance = graph_of(nodes), np.random.default_rng(1)
        scorer, space = LearntScorer.of(graph, chance), Space.of(graph, chance)
        told = scorer.scores(scores_of(graph, missing_pairs(graph, 3, chance), False, space))
        assert np.isfinite(told).all()
