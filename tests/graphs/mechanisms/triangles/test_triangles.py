"""Triangles: the ladder of every small graph, and ε of the whole law in exact arithmetic."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from graphs.mechanisms.small import edge_neighbours, graph_of, matrices, pairs_of
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.triangles.ladder_function import Ladder
from shoal.graphs.mechanisms.triangles.triangles import (
    Triangles,
    by_falling_degree,
    count,
    ladder,
    widest_pair,
)

ONE = Fraction(1)


@pytest.mark.parametrize(("nodes", "extra"), [(3, 0), (4, 0), (4, 2), (5, 0)])
def test_figures_of_every_small_graph_are_right(nodes: int, extra: int) -> None:
    every = matrices(nodes)
    step = 1 if nodes < 5 else 7
    for bits in range(0, len(every), step):
        matrix = np.pad(every[bits], (0, extra))
        people, squared, degrees = nodes + extra, matrix @ matrix, matrix.sum(axis=0)
        pairs = list(combinations(range(people), 2))
        ranked = by_falling_degree(graph_of(nodes, bits))
        assert count(ranked) == np.trace(squared @ matrix) // 6
        widest = max(int(degrees[a] + degrees[b] - 2 * matrix[a, b]) for a, b in pairs)
        assert widest_pair(ranked, people) == widest
        shared = max(int(squared[a, b]) for a, b in pairs)
        assert ladder(ranked, people) == Ladder(max(1, shared), max(2, widest), people - 2)


def local_sensitivity(matrix: np.ndarray[tuple[int, int], np.dtype[np.int64]], t: int) -> int:
    """What one edge can do after t changes (Nissim, Raskhodnikova, Smith 2007, claim 3.13)."""
    people, squared, degrees = len(matrix), matrix @ matrix, matrix.sum(axis=0)
    found = 0
    for i, j in combinations(range(people), 2):
        a = int(squared[i, j])
        b = int(degrees[i] + degrees[j] - 2 * a - 2 * matrix[i, j])
        found = max(found, min(a + (t + min(t, b)) // 2, people - 2))
    return found


def test_the_ladder_is_never_below_what_edges_can_do_and_seldom_above() -> None:
    chance = np.random.default_rng(8)
    above = []
    for _ in range(30):
        matrix = np.triu(chance.random((12, 12)) < chance.uniform(0.1, 0.7), 1).astype(np.int64)
        matrix += matrix.T
        one, other = np.nonzero(np.triu(matrix))
        found = ladder(by_falling_degree(Graph.of_edges(12, one, other)), 12)
        gaps = [found.reach(t) - local_sensitivity(matrix, t) for t in range(25)]
        assert min(gaps) >= 0
        above += gaps
    assert np.mean(above) < 0.6


def features(nodes: int) -> list[tuple[int, Ladder]]:
    """Triangles and ladder of every graph, by matrices."""
    every = matrices(nodes)
    squared, degrees = every @ every, every.sum(axis=2)
    triangles = np.einsum("gij,gji->g", squared, every) // 6
    sums = degrees[:, :, None] + degrees[:, None, :] - 2 * every
    one, other = np.triu_indices(nodes, 1)
    shared, widest = squared[:, one, other].max(axis=1), sums[:, one, other].max(axis=1)
    return [
        (int(f), Ladder(max(1, int(a)), max(2, int(b)), nodes - 2))
        for f, a, b in zip(triangles, shared, widest, strict=True)
    ]


def weight(found: Ladder, q: Fraction) -> Fraction:
    """The sum of q^rung over all whole numbers, exactly: past its last step the ladder is geometric."""
    last = 2 * found.most + found.spread
    assert found.reach(last) == found.most
    rungs = sum((found.reach(t) * q ** (t + 1) for t in range(last)), Fraction(0))
    return 1 + 2 * (rungs + found.most * q ** (last + 1) / (1 - q))


@pytest.mark.parametrize("nodes", [3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_the_law_of_every_pair_of_neighbours_keeps_epsilon_in_exact_arithmetic(nodes: int) -> None:
    found = features(nodes)
    assert len(found) == 1 << len(pairs_of(nodes))
    kinds = {(found[a], found[b]) for a, b in edge_neighbours(nodes)}
    most = max(triangles for triangles, _ in found)
    for (here, one), (there, other) in kinds:
        assert abs(here - there) <= min(one.reach(0), other.reach(0))
        for t in range(4 * nodes):
            assert one.reach(t) <= other.reach(t + 1) and other.reach(t) <= one.reach(t + 1)
        # No number moves by more than a rung; far out both ladders climb n - 2 a rung and nothing changes.
        for value in range(-8 * nodes, most + 8 * nodes):
            assert abs(one.rung(abs(value - here)) - other.rung(abs(value - there))) <= 1
        # P(x) = q^rung / weight with q = exp(-ε/2): a rung is worth e^(ε/2), and so are the weights at most.
        for q in (Fraction(1, 10), Fraction(1, 2), Fraction(19, 20)):
            ratio = weight(one, q) / weight(other, q)
            assert q <= ratio <= 1 / q


def test_noise_for_what_one_edge_can_do_now_would_give_neighbours_away() -> None:
    # The same without the steps that follow: rungs drift apart, and far numbers tell who is who.
    apart = 0
    found = features(5)
    for a, b in edge_neighbours(5):
        (here, one), (there, other) = found[a], found[b]
        still = [Ladder(ladder.shared, 2 * ladder.shared, ladder.shared) for ladder in (one, other)]
        apart = max(apart, abs(still[0].rung(abs(60 - here)) - still[1].rung(abs(60 - there))))
    assert apart > 10


def test_answers_are_near_where_epsilon_is_large_and_possible_always() -> None:
    clique = Graph.of_edges(8, *np.triu_indices(8, 1))
    assert Triangles(Fraction(1000)).release(clique).value == 56
    for _ in range(200):
        assert 0 <= Triangles(ONE / 100).release(clique).value <= 56
    for nodes in (0, 1, 2):
        few = Graph.of_edges(nodes, [0] if nodes == 2 else [], [1] if nodes == 2 else [])
        assert Triangles(ONE).release(few).value == 0 and Triangles(ONE).expected_error(few) == 0
    both = Graph.of_edges(3, [0, 1, 1, 2], [1, 0, 2, 0], directed=True)
    assert Triangles(Fraction(1000)).release(both).value == 1


def test_k_edges_cost_k_times_the_rungs_and_the_owner_may_ask_for_the_error() -> None:
    assert Triangles(ONE, k=5).rate == Fraction(1, 10) and Triangles(ONE).rate == Fraction(1, 2)
    clique = Graph.of_edges(20, *np.triu_indices(20, 1))
    errors = [Triangles(ONE, k=k).expected_error(clique) for k in (1, 2, 8)]
    assert errors == sorted(errors)  # type: ignore[type-var]
    # The most that anyone needs to fear: n - 2 a rung, 2/ε rungs.
    assert errors[0] is not None and errors[0] < 3 * 18
