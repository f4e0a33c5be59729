from __future__ import annotations

import numpy as np
import pytest

from graphs.matching.networks import hidden_pair, known
from graphs.matching.test_likelihood_kernels import friends
from shoal.graphs.attacks.propagation.propagation_kernels import propagate
from shoal.graphs.graph import Graph
from shoal.graphs.matching.matching import inverse, rows_of

Pairs = dict[int, int]


def cosine(left: Graph, right: Graph, pairs: Pairs, one: int, other: int) -> float:
    """Algorithm 10.1 by sets."""
    (to, by), (their_to, their_by) = friends(left), friends(right)
    images = set(pairs.values())

    def mapped(nodes: set[int]) -> list[int]:
        return [pairs[node] for node in nodes if node in pairs]

    if not left.directed:
        ours, theirs = set(mapped(to[one])), their_to[other] & images
        common = len(ours & theirs)
        return common / np.sqrt(len(ours) * len(theirs)) if common else 0.0
    here, there = (
        [("in", node) for node in mapped(by[one])],
        [("in", node) for node in their_by[other] & images],
    )
    if to[one] and their_to[other]:  # both were crawled
        here += [("out", node) for node in mapped(to[one])]
        there += [("out", node) for node in their_to[other] & images]
    common = len(set(here) & set(there))
    return common / np.sqrt(len(here) * len(there)) if common else 0.0


def best(left: Graph, right: Graph, pairs: Pairs, one: int) -> tuple[list[int], float]:
    scores = np.array([cosine(left, right, pairs, one, other) for other in range(right.nodes)])
    if scores.std() == 0 or scores.max() == 0:
        return [], 0.0
    top, second = np.sort(scores)[::-1][:2]
    return np.flatnonzero(scores == top).tolist(), (top - second) / scores.std()


def plain(left: Graph, right: Graph, pairs: Pairs, fixed: set[int], threshold: float, rounds: int) -> Pairs:
    """Listing 10.1, with one person per node of either network."""
    pairs = dict(pairs)
    for _ in range(rounds):
        changed = False
        for one in range(left.nodes):
            others, stands_out = best(left, right, pairs, one)
            if one in fixed or stands_out < threshold or len(others) != 1:
                continue
            other, back = others[0], {there: here for here, there in pairs.items()}
            if pairs.get(one) == other or back.get(other) in fixed:
                continue
            again, stands_out = best(right, left, back, other)
            if again != [one] or stands_out < threshold:
                continue
            if other in back:
                del pairs[back[other]]
            pairs[one] = other
            changed = True
        if not changed:
            break
    return pairs


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_propagation_is_the_listing_of_the_thesis(seed: int, directed: bool) -> None:
    chance = np.random.default_rng(seed)
    graph = Graph.of_edges(16, *chance.integers(0, 16, (2, 60)), directed=directed)
    left, right, places = hidden_pair(graph, 0.8, seed)
    begun = known(places, 6, seed)
    nodes, back = begun.copy(), inverse(begun, right.nodes)
    propagate(rows_of(left), rows_of(right), directed, nodes, back, begun >= 0, 0.5, 10)
    fixed = set(np.flatnonzero(begun >= 0).tolist())
    pairs = plain(left, right, {one: int(begun[one]) for one in fixed}, fixed, 0.5, 10)
    assert {int(one): int(nodes[one]) for one in np.flatnonzero(nodes >= 0)} == pairs
    assert back.tolist() == inverse(nodes, right.nodes).tolist()
