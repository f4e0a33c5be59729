from __future__ import annotations

from math import log

import numpy as np
import pytest

from graphs.matching.networks import hidden_pair, known
from shoal.graphs.graph import Graph
from shoal.graphs.matching import likelihood_kernels as kernels
from shoal.graphs.matching.matching import inverse, rows_of


def pair(seed: int, directed: bool) -> tuple[Graph, Graph, np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    graph = Graph.of_edges(14, *chance.integers(0, 14, (2, 45)), directed=directed)
    left, right, places = hidden_pair(graph, 0.7, seed)
    nodes = known(places, 6, seed)
    return left, right, nodes, inverse(nodes, right.nodes)


def friends(graph: Graph) -> tuple[list[set[int]], list[set[int]]]:
    """Whom each node points to, and who points to it."""
    to = [set(graph.neighbours(node).tolist()) for node in range(graph.nodes)]
    by: list[set[int]] = [set() for _ in to]
    for node, ends in enumerate(to):
        for end in ends:
            by[end].add(node)
    return to, by


def plain_odds(
    left: Graph, right: Graph, nodes: np.ndarray, kept: tuple[float, float], one: int, other: int
) -> float | None:
    """The twin: the same odds by sets, one pair of nodes at a time; None for those who share no friend."""
    odds, shares = 0.0, False
    directions = [0, 1] if left.directed else [0]
    taken = set(nodes[nodes >= 0].tolist())
    for way in directions:
        ours, theirs = friends(left)[way][one], friends(right)[way][other]
        here = {int(nodes[friend]) for friend in ours if nodes[friend] >= 0}
        there = theirs & taken
        common = here & there
        shares |= bool(common)
        for friend in common:
            followers = (
                len(friends(right)[1 - way][friend]) if left.directed else len(friends(right)[0][friend])
            )
            odds += log(kept[0] * len(right.targets)) - log(followers) - log(len(theirs))
        if left.directed and way == 0 and not (ours and theirs):
            continue
        odds += len(here - common) * log(1 - kept[0]) + len(there - common) * log(1 - kept[1])
        rest, other_rest = (len(ours) - len(here)) * kept[0] / kept[1], len(theirs) - len(there)
        odds -= (rest - other_rest) ** 2 / (2 * (rest + other_rest) * (1 - min(kept)) + 2)
    return odds if shares else None


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_candidate_is_the_likeliest_of_all_nodes(seed: int, directed: bool) -> None:
    left, right, nodes, back = pair(seed, directed)
    kept = (0.6, 0.8)
    best, lead = np.full(left.nodes, -1, np.int32), np.zeros(left.nodes)
    rows = rows_of(right)
    outs, ins = kernels.known_friends(rows[0], rows[1], back), kernels.known_friends(rows[2], rows[3], back)
    asked = np.ones(left.nodes, np.bool_)
    kernels.best_candidates(rows_of(left), rows, directed, nodes, outs, ins, asked, kept, best, lead)
    for one in range(left.nodes):
        all_odds = [plain_odds(left, right, nodes, kept, one, other) for other in range(right.nodes)]
        ranked = sorted(
            [0.0, 0.0, *(odds for odds in all_odds if odds is not None and odds > 0)], reverse=True
        )
        assert lead[one] == pytest.approx(ranked[0] - ranked[1])
        if ranked[0] > 0:
            assert all_odds[best[one]] == pytest.approx(ranked[0])
        else:
            assert best[one] == -1


@pytest.mark.parametrize("directed", [False, True])
def test_counts_are_those_of_sets(directed: bool) -> None:
    left, right, nodes, back = pair(3, directed)
    to, _ = friends(left)
    there, _ = friends(right)
    expected = [sum(nodes[friend] >= 0 for friend in ends) for ends in to]
    assert kernels.known_friends(left.offsets, left.targets, nodes).tolist() == expected
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
