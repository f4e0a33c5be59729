"""Sorted degrees: the reach of an edge by brute force, and what inference gains."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.mechanisms.small import edge_neighbours, matrices
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from statistical.goodness import ALARM, fits, laplace_pmf

ONE = Fraction(1)


@pytest.mark.parametrize("nodes", [2, 3, 4, 5])
def test_an_edge_moves_the_sorted_degrees_by_two_and_never_more(nodes: int) -> None:
    sequences = np.sort(matrices(nodes).sum(axis=2), axis=1)
    moved = {int(np.abs(sequences[a] - sequences[b]).sum()) for a, b in edge_neighbours(nodes)}
    assert max(moved) == 2 == DegreeSequence(ONE).sensitivity
    assert DegreeSequence(ONE, k=3).sensitivity == 6


@pytest.mark.parametrize("nodes", [600, 3000])
def test_noise_has_its_scale(nodes: int) -> None:
    ring = Graph.of_edges(nodes, np.arange(nodes), np.roll(np.arange(nodes), 1))
    told = DegreeSequence(ONE / 2, k=2).release(ring)
    assert fits(told.noisy - 2, laplace_pmf(Fraction(8), 300)) > ALARM
    assert told.error == pytest.approx(8, rel=0.01) and 20 < told.margin < 28


def test_inference_takes_most_of_the_noise_off() -> None:
    # Many people have the same degree, as in every real network: errors of both kinds fall far.
    chance = np.random.default_rng(5)
    degrees = np.sort(np.minimum(chance.zipf(2.2, 20_000), 2000))
    ends = np.repeat(np.arange(20_000), degrees)
    chance.shuffle(ends)
    half = len(ends) // 2
    graph = Graph.of_edges(20_000, ends[:half], ends[half : 2 * half])
    true = np.sort(graph.degrees)
    told = DegreeSequence(ONE / 10).release(graph)
    assert np.abs(told.values - true).mean() < np.abs(told.noisy - true).mean() / 10
    assert ((told.values - true) ** 2).sum() < ((told.noisy - true) ** 2).sum() / 10
    assert (np.diff(told.values) >= 0).all() and told.values.min() >= 0
    # The noise before it is as announced, so what was gained came from nothing but the order.
    assert np.abs(told.noisy - true).mean() == pytest.approx(told.error, rel=0.1)


def test_declared_people_fill_up_with_nobody_and_a_last_edge_takes_nobody_along() -> None:
    graph = Graph.of_edges(2, [0], [1])
    told = DegreeSequence(Fraction(1000), nodes=5).release(graph)
    assert told.values.tolist() == [0, 0, 0, 1, 1] and told.public == ("nodes=5, as declared",)
    nobody = DegreeSequence(Fraction(1000), nodes=5).release(Graph.of_edges(0, [], []))
    assert nobody.values.tolist() == [0] * 5


def test_values_are_possible_degrees_and_whole_when_asked() -> None:
    graph = Graph.of_edges(40, np.arange(39), np.arange(1, 40))
    told = DegreeSequence(ONE / 100, rounded=True).release(graph)
    assert told.values.min() >= 0 and told.values.max() <= 39
    assert (told.values == np.rint(told.values)).all()
    for nodes in (0, 1):
        assert DegreeSequence(ONE).release(Graph.of_edges(nodes, [], [])).values.tolist() == [0] * nodes


def test_direction_is_dropped() -> None:
    both = Graph.of_edges(3, [0, 1, 1], [1, 0, 2], directed=True)
    assert DegreeSequence(Fraction(1000)).release(both).values.tolist() == [1, 1, 2]
