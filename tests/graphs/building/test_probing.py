"""The probing scheme: always ends, and what it finds keeps the promise."""

import numpy as np
import pytest

from graphs.building.small import drawn_graph, labelled, of_pairs, pairs_of
from shoal.core.progress import Progress
from shoal.graphs.building.probing import probe_construction, probe_supergraph
from shoal.graphs.building.probing_noise import SCHEMES
from shoal.graphs.building.swapping_targets import k_anonymous
from shoal.graphs.building.target_degrees import Change


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_supergraph_is_found_for_every_small_graph(scheme: int) -> None:
    chance = np.random.default_rng(1)
    for graph in labelled(4):
        for k in range(1, graph.nodes + 1):
            made = probe_supergraph(graph, k, scheme, 3, chance, 500).graph
            assert made is not None and k_anonymous(made.degrees, k)
            assert pairs_of(graph) <= pairs_of(made)


@pytest.mark.parametrize("change", ["raise", "both"])
def test_a_construction_is_found_for_every_small_graph(change: Change) -> None:
    chance = np.random.default_rng(1)
    for graph in labelled(4):
        for k in range(1, graph.nodes + 1):
            made = probe_construction(graph, k, change, "random", 4, 3, chance, 500).graph
            assert made is not None and k_anonymous(made.degrees, k)


def test_it_gives_up_after_as_many_rounds_as_it_may_take() -> None:
    star = of_pairs(30, [(0, leaf) for leaf in range(1, 30)])
    seen: list[Progress] = []
    made = probe_supergraph(star, 2, 4, 10, np.random.default_rng(1), 3, seen.append)
    assert made.graph is None and made.rounds == 3
    assert seen[0] == Progress(0, 3, None, None)


def test_the_same_seed_probes_alike() -> None:
    graph = drawn_graph(100, 200, 1)
    one, other = (probe_supergraph(graph, 5, 1, 10, np.random.default_rng(3), 5000) for _ in range(2))
    assert one.graph is not None and other.graph is not None
    assert one.rounds == other.rounds and pairs_of(one.graph) == pairs_of(other.graph)
