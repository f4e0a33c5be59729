from __future__ import annotations

import numpy as np
import pytest

from graphs.matching.networks import circles
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.matching.overlapping_copies import overlapping_copy, perturbed, two_copies


def edges(graph: Graph) -> set[tuple[int, int]]:
    ends = graph.edge_list()
    return set(zip(ends.sources.tolist(), ends.targets.tolist(), strict=True))


@pytest.mark.parametrize("overlap", [0.3, 0.5, 0.8])
def test_two_copies_share_what_was_asked_for(overlap: float) -> None:
    one, other = map(edges, two_copies(circles(2000), overlap, np.random.default_rng(1)))
    assert len(one & other) / len(one | other) == pytest.approx(overlap, abs=0.03)


def test_a_copy_shares_its_edges_with_the_original() -> None:
    graph = circles(2000)
    one, all_of_them = edges(overlapping_copy(graph, 0.6, np.random.default_rng(1))), edges(graph)
    assert one < all_of_them
    assert len(one) / len(all_of_them) == pytest.approx(0.6, abs=0.03)


@pytest.mark.parametrize("overlap", [0.0, -1.0, 1.5, float("nan")])
def test_what_is_no_share_is_refused(overlap: float) -> None:
    with pytest.raises(BadParameter, match="no share of the edges"):
        overlapping_copy(circles(20), overlap, np.random.default_rng(1))


def test_noise_replaces_a_share_of_the_edges() -> None:
    graph = circles(2000)
    noisy = edges(perturbed(graph, 0.3, np.random.default_rng(1)))
    assert len(noisy & edges(graph)) / graph.edges == pytest.approx(0.7, abs=0.03)
    assert len(noisy) / graph.edges == pytest.approx(1, abs=0.02)
    assert edges(perturbed(graph, 0.0, np.random.default_rng(1))) == edges(graph)
    with pytest.raises(BadParameter, match="from 0 to 1"):
        perturbed(graph, 1.5, np.random.default_rng(1))
