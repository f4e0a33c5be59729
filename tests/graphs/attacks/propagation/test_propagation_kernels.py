from __future__ import annotations

from contextlib import ExitStack

import numpy as np
import pytest

from graphs.matching.networks import circles, hidden_pair, known
from graphs.matching.test_likelihood_kernels import friends
from shoal.core.deadline import until
from shoal.core.progress import following
from shoal.graphs.attacks.propagation.propagation import spread
from shoal.graphs.graph import Graph

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


def plain(left: Graph, right: Graph, pairs: Pairs, fixed: set[int], threshold: float) -> Pairs:
    """Listing 10.1, with one person per node of either network.

    As there, it ends when looking at everybody changes nothing; before, only those are looked at again who
    have a friend who changed.
    """
    pairs, stale, everybody = dict(pairs), set(range(left.nodes)), True
    to, by = friends(left)
    while True:
        changed = False
        for one in range(left.nodes):
            if one not in stale:
                continue
            stale.remove(one)
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
                stale |= to[back[other]] | by[back[other]]
            pairs[one] = other
            stale |= to[one] | by[one]
            changed = True
        if not changed and everybody:
            return pairs
        everybody = not changed
        if everybody:
            stale = set(range(left.nodes))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_propagation_is_the_listing_of_the_thesis(seed: int, directed: bool) -> None:
    chance = np.random.default_rng(seed)
    graph = Graph.of_edges(16, *chance.integers(0, 16, (2, 60)), directed=directed)
    left, right, places = hidden_pair(graph, 0.8, seed)
    begun = known(places, 6, seed)
    found = spread(left, right, begun, begun >= 0, 0.5)
    fixed = set(np.flatnonzero(begun >= 0).tolist())
    pairs = plain(left, right, {one: int(begun[one]) for one in fixed}, fixed, 0.5)
    assert {int(one): int(found.nodes[one]) for one in np.flatnonzero(found.nodes >= 0)} == pairs
    assert found.complete and (found.nodes[begun >= 0] == begun[begun >= 0]).all()


def test_looking_at_everybody_once_more_changes_nothing() -> None:
    left, right, places = hidden_pair(circles(), 0.7)
    begun = known(places, 30)
    found = spread(left, right, begun, begun >= 0, 0.5)
    again = spread(left, right, found.nodes, begun >= 0, 0.5)
    assert again.rounds == 1
    assert (again.nodes == found.nodes).all()


def test_when_the_time_is_over_the_matches_so_far_are_told() -> None:
    left, right, places = hidden_pair(circles(), 0.8)
    begun = known(places, 30)
    with ExitStack() as stack:
        stack.enter_context(following(lambda *_: stack.enter_context(until(0.0))))
        found = spread(left, right, begun, begun >= 0, 0.5)
    assert not found.complete and found.rounds == 1
    assert len(found) > 30
