"""Identity disclosure by degree."""

from __future__ import annotations

import pytest

from shoal.graphs.measures.identity_disclosure import IdentityDisclosure, IdentityRisk

from .builders import all_graphs, graph_of


def test_the_chance_is_one_over_the_candidates_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        degrees = graph.degrees.tolist()
        chances = [1 / degrees.count(degree) for degree in degrees]
        found = IdentityDisclosure().measure(graph)
        assert found.mean == pytest.approx(sum(chances) / len(chances) if chances else 0)
        assert found.worst == max(chances, default=0)


def test_the_centre_of_a_star_is_found_for_certain() -> None:
    star = graph_of(5, [(0, at) for at in range(1, 5)])
    assert IdentityDisclosure().measure(star) == IdentityRisk(mean=0.4, worst=1.0)
    assert IdentityDisclosure().measure(star).to_json() == {"mean": 0.4, "worst": 1.0}
