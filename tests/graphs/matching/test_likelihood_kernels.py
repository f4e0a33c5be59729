from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from graphs.matching.networks import hidden_pair, known
from shoal.graphs.graph import Graph, Int32
from shoal.graphs.matching import likelihood_kernels as kernels
from shoal.graphs.matching.likelihood_kernels import Float64
from shoal.graphs.matching.likelihood_matching import MOST_APART, _closure, _look, _share, _Side
from shoal.graphs.matching.matching import inverse, rows_of

Kept = tuple[float, float]

Pairs = dict[int, tuple[int, float]]  # per left node, its node in the other network, and how sure that is


def pair(seed: int, directed: bool, nodes: int = 14, edges: int = 45) -> tuple[Graph, Graph, Int32]:
    chance = np.random.default_rng(seed)
    graph = Graph.of_edges(nodes, *chance.integers(0, nodes, (2, edges)), directed=directed)
    left, right, places = hidden_pair(graph, 0.7, seed)
    return left, right, known(places, nodes * 3 // 7, seed)


def friends(graph: Graph) -> tuple[list[set[int]], list[set[int]]]:
    """Whom each node points to, and who points to it."""
    to = [set(graph.neighbours(node).tolist()) for node in range(graph.nodes)]
    by: list[set[int]] = [set() for _ in to]
    for node, ends in enumerate(to):
        for end in ends:
            by[end].add(node)
    return to, by


def apart(rest: int, other_rest: int, kept: tuple[float, float]) -> float:
    expected = rest * kept[0] / kept[1]
    return min((expected - other_rest) ** 2 / (2 * (expected + other_rest) * (1 - min(kept)) + 2), MOST_APART)


def plain_odds(
    left: Graph, right: Graph, pairs: Pairs, kept: tuple[float, float], one: int
) -> tuple[dict[int, float], float]:
    """The twin, by sets: the odds of everybody who shares a friend with somebody, and of all others."""
    ways = [0, 1] if left.directed else [0]
    ours, theirs = friends(left), friends(right)
    sure = dict(pairs.values())
    odds = dict.fromkeys(range(right.nodes), 0.0)
    sharing: set[int] = set()
    nobody = (1 - len(ways)) * log(right.nodes)
    closure = _closure(rows_of(right))
    entries = len(right.targets) / closure
    for way in ways:
        here = {pairs[friend][0] for friend in ours[way][one] if friend in pairs}
        rest = len(ours[way][one]) - len(here)
        everybody = 0.0
        for other in range(right.nodes):
            there = theirs[way][other] & sure.keys()
            other_rest = len(theirs[way][other]) - len(there)
            missed = sum(log(1 - kept[1] * sure[friend]) for friend in there - here)
            if theirs[way][other]:
                missed_by_all = sum(log(1 - kept[1] * sure[friend]) for friend in there)
                everybody += exp(missed_by_all - apart(rest, other_rest, kept))
            for friend in there & here:
                sharing.add(other)
                followers = len(theirs[1 - way if left.directed else 0][friend])
                odds[other] += log(kept[0] * entries * sure[friend] / followers / len(theirs[way][other]))
            if left.directed and way == 0 and not (ours[0][one] and theirs[0][other]):
                continue
            odds[other] += sum(log(1 - kept[0] * sure[friend]) for friend in here - there) + missed
            odds[other] -= apart(rest, other_rest, kept)
        nobody += log(everybody) + sum(log(1 - kept[0] * sure[friend]) for friend in here)
    return {other: odds[other] for other in sharing}, nobody - log(closure)


def looked(left: Graph, right: Graph, nodes: Int32, trust: Float64) -> tuple[Int32, Float64, Pairs, Kept]:
    """What the compiled loop says of everybody, and by which shares of the edges."""
    here, there = _Side.of(left), _Side.of(right)
    everybody = np.arange(left.nodes), np.arange(right.nodes)
    _look(here, there, nodes, trust, everybody)
    counted = kernels.shared_edges(here.rows, there.rows, nodes, inverse(nodes, right.nodes))
    kept = _share(counted[2], counted[0]), _share(counted[2], counted[1])
    pairs = {one: (int(nodes[one]), float(trust[one])) for one in np.flatnonzero(nodes >= 0).tolist()}
    return here.best, here.lead, pairs, kept


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_candidate_is_the_likeliest_of_all_nodes(seed: int, directed: bool) -> None:
    left, right, nodes = pair(seed, directed)
    trust = np.where(nodes >= 0, np.random.default_rng(seed).uniform(0.5, 1, left.nodes), 0.0)
    best, lead, pairs, kept = looked(left, right, nodes, trust)
    for one in range(left.nodes):
        odds, nobody = plain_odds(left, right, pairs, kept, one)
        if best[one] < 0:
            assert max(odds.values(), default=-99.0) < nobody - 11
            continue
        first = max(odds, key=lambda other: odds[other])
        others = exp(nobody) + sum(exp(odds[other]) for other in odds if other != best[one])
        assert odds[int(best[one])] == pytest.approx(odds[first])
        assert lead[one] == pytest.approx(odds[first] - log(others), abs=0.01)


def test_friends_with_many_friends_are_looked_up_and_tell_the_same() -> None:
    left, right, nodes = pair(1, False, 150, 9_000)
    asked = left.degrees.max() * right.degrees.max()
    assert asked > kernels.STEPS + kernels.STEPS_PER_FRIEND * left.degrees.max()
    best, _, pairs, kept = looked(left, right, nodes, (nodes >= 0).astype(float))
    for one in range(0, left.nodes, 10):
        odds, _ = plain_odds(left, right, pairs, kept, one)
        assert best[one] == max(odds, key=lambda other: odds[other])


@pytest.mark.parametrize("directed", [False, True])
def test_counts_are_those_of_sets(directed: bool) -> None:
    left, right, nodes = pair(3, directed)
    back = inverse(nodes, right.nodes)
    to, _ = friends(left)
    there, _ = friends(right)
    expected = [sum(nodes[friend] >= 0 for friend in ends) for ends in to]
    number, missed = np.zeros(14, np.int64), np.zeros(14)
    kernels.known_friends(left.offsets, left.targets, nodes, np.full(14, -0.5), number, missed)
    assert number.tolist() == expected
    assert missed.tolist() == [-0.5 * friends for friends in expected]
    ours = {
        (int(nodes[one]), int(nodes[two]))
        for one in range(14)
        for two in to[one]
        if min(nodes[one], nodes[two]) >= 0
    }
    theirs = {(one, two) for one in range(14) for two in there[one] if min(back[one], back[two]) >= 0}
    assert kernels.shared_edges(rows_of(left), rows_of(right), nodes, back) == (
        len(ours), len(theirs), len(ours & theirs),
    )  # fmt: skip
    marked = np.zeros(14, np.bool_)
    kernels.mark_friends(left.offsets, left.targets, nodes >= 0, marked)
    assert set(np.flatnonzero(marked).tolist()) == set().union(
        *(to[one] for one in np.flatnonzero(nodes >= 0))
    )
