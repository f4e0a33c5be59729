"""Random graphs with given degrees."""

from collections import Counter

import numpy as np
import pytest

from graphs.mechanisms.small import matrices
from shoal.graphs.methods.noisy_degrees.degrees import made_realisable
from shoal.graphs.methods.noisy_degrees.drawing import random_graph


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5])
def test_every_sequence_of_a_graph_is_drawn_to_the_digit(nodes: int) -> None:
    chance = np.random.default_rng(1)
    for wanted in np.unique(matrices(nodes).sum(axis=2), axis=0):
        graph = random_graph(wanted, chance)
        assert graph.degrees.tolist() == wanted.tolist() and graph.cleaned.loops == 0


@pytest.mark.parametrize("seed", range(5))
def test_large_ones_too(seed: int) -> None:
    chance = np.random.default_rng(seed)
    wanted = made_realisable(np.minimum(chance.zipf(1.6 + seed / 5, 3000), 2000))
    graph = random_graph(wanted, chance)
    assert graph.degrees.tolist() == wanted.tolist()
    assert (graph.cleaned.loops, graph.cleaned.duplicates) == (0, 0)


def test_exchanges_forget_how_the_graph_was_built() -> None:
    # Five people with two edges each: twelve rings, each about as likely.
    chance = np.random.default_rng(4)
    seen = Counter(tuple(random_graph(np.full(5, 2), chance).targets.tolist()) for _ in range(2400))
    assert len(seen) == 12 and min(seen.values()) > 120 and max(seen.values()) < 300


def test_nobody_makes_an_empty_graph() -> None:
    for nodes in (0, 3):
        graph = random_graph(np.zeros(nodes, np.int64), np.random.default_rng(0))
        assert (graph.nodes, graph.edges) == (nodes, 0)
